/** Texts about bundles as keys of apps/texts; the screens turn them into the person's language. */
package org.azx.app.bundle

import org.azx.app.engine.membersOf

/** Why a bundle cannot be played or tested; its text is `problem_<code>`, and `places` stand in it. */
data class Problem(val code: String, val places: List<String>) {
    constructor(code: String, vararg places: Any) : this(code, places.map(Any::toString))
}

/** A text by its key, with the values of its places; `problems` fill the last one. */
data class Text(val key: String, val places: List<String>, val problems: List<Problem> = emptyList()) {
    constructor(key: String, vararg places: Any) : this(key, places.map(Any::toString))
}

/** A bundle cannot be used; the `text` says why, and the message, which is for logs, has its key. */
class BundleError(val text: Text, cause: Throwable? = null) : RuntimeException(text.toString(), cause) {
    constructor(key: String, vararg places: Any, cause: Throwable? = null) : this(Text(key, *places), cause)
}

/** What an error says, or its name, to stand within a sentence. */
internal fun reasonOf(error: Throwable): String = (error.message ?: error.javaClass.simpleName).trimEnd('.')

/** The problems of an index or a manifest; null if `data` is no list of them. */
internal fun problemsOf(data: Any?): List<Problem>? = (data as? List<*>)?.map { problemOf(it) ?: return null }

private fun problemOf(data: Any?): Problem? {
    val found = membersOf(data)
    val places = (found["places"] as? List<*>)?.map { it as? String ?: return null } ?: return null
    return Problem(found["code"] as? String ?: return null, places)
}
