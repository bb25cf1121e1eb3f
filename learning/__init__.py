"""The learner: networks in Keras, the window of games it learns from, and the judges of what it has learnt."""
