"""The golden files that every engine and every app is tested against, and the scripts that write them."""
