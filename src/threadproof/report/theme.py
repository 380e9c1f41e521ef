"""Styles of drawings in two colour schemes. Colours are written out: many viewers of SVG know no variables of CSS."""

from __future__ import annotations

from collections.abc import Mapping
from string import Template


def themed(rules: str, light: Mapping[str, str], dark: Mapping[str, str]) -> str:
    """Rules with `$name` for colours, for light pages and, by the setting of the viewer, for dark ones."""
    text = Template(rules)
    return f"{text.substitute(light)}@media (prefers-color-scheme: dark) {{{text.substitute(dark)}}}\n"
