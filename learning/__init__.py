"""The learner: networks in Keras, the window of games it learns from, and judges of its strength."""
