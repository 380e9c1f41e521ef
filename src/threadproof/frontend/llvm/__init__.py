"""LLVM's text as data: parser, types, values, instructions."""
