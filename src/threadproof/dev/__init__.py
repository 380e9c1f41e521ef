"""Tools for those who build Threadproof; nothing here is part of a verdict. May import: everything."""
