"""`azx` and `python -m azx`: first make the standard streams and Ctrl-C safe, then import and run the command."""

from __future__ import annotations

from .system.ctrl_c import INTERRUPTED, end_at_once, leave


def main() -> None:
    """Run the command that this process was started with."""
    end_at_once()
    from .system.streams import complete_streams

    complete_streams()
    from .cli import cli

    try:
        cli(prog_name="azx")
    except SystemExit as end:
        if end.code == INTERRUPTED:
            leave()
        raise
    finally:
        end_at_once()  # what else is to be done is Python's


if __name__ == "__main__":
    main()
