package org.azx.app.bundle

/** Why a bundle cannot be used: one sentence that a player can read. */
class BundleError(sentence: String, cause: Throwable? = null) : RuntimeException(sentence, cause)
