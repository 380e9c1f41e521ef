"""Platform modules that come with Threadproof."""
