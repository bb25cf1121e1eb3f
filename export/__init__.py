"""From a Keras checkpoint to artifacts: read, simplify, build one frozen graph, write every format."""
