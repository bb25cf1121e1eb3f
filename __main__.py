"""`python -m azx` is the same as `azx`."""

from .cli import cli

if __name__ == "__main__":
    cli(prog_name="azx")
