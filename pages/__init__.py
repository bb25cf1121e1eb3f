"""All HTML and SVG: the report of a bundle, plots, boards, markup."""
