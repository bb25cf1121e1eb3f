package org.azx.app.engine

/** An error that a person can act on, in one sentence. */
class GameError(sentence: String) : RuntimeException(sentence)
