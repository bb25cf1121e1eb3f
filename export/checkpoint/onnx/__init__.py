"""Reads ONNX models: their operations become layers of a LayerGraph."""
