"""Runs the checkpoint's file in Keras itself."""
