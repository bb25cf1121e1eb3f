"""azx: AlphaZero-style Keras checkpoints to where people play, each artifact proved equal."""

__version__ = "0.1.0"
