"""One pass per file; `pipeline.py` is the ordered list that ends in the normal form engines rely on.

May import: ir, analysis, sync.
"""
