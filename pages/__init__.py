"""All HTML and SVG: a bundle's report, plots, boards, markup."""
