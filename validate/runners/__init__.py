"""Runs artifacts: one file per runtime, all with the protocol of `runner.py`."""
