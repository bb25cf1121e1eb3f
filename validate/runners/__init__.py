"""One file a runtime, all behind the protocol of `runner.py`."""
