"""ONNX as a source: its operations as the layers that a LayerGraph has."""
