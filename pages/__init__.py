"""Everything that is drawn as HTML or SVG: the report of a bundle, plots, boards, markup."""
