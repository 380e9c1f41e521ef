"""`python -m threadproof` is the same as the `threadproof` command."""

from threadproof.cli.main import main

if __name__ == "__main__":
    main()
