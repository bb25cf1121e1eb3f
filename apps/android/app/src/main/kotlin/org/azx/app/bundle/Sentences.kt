package org.azx.app.bundle

/** What is told of bundles that cannot be used, with `%s` for what differs; the screens say it in their language. */
object Sentences {
    const val INDEX = "$FOLDER/index.json is not an index of version 1: install the bundles again with this app's azx."
    const val INDEX_MANIFEST = "Bundle '%s': the index does not list its manifest.json: install the bundle again."
    const val MISSING = "Bundle '%s': '%s' is missing: install the bundle again."
    const val SIZE = "Bundle '%s': '%s' has %s bytes, its manifest says %s: install the bundle again."
    const val HASH = "Bundle '%s': '%s' is not the file of its manifest (SHA-256 differs): install the bundle again."
    const val TOO_LARGE = "Bundle '%s': '%s' is too large: install the bundle again."
    const val NO_JSON = "Bundle '%s': '%s' is no JSON: export the bundle again."
    const val VERSION = "Bundle '%s': its manifest has version %s, this app reads 1: use a newer app."
    const val MEMBER = "Bundle '%s': '%s' of its manifest is not there or is damaged: export the bundle again."
    const val UNLISTED = "Bundle '%s': its manifest does not list '%s': export the bundle again."
    const val NO_ARTIFACT = "Bundle '%s': it has no TFLite artifact: export it with --format tflite."
    const val NO_POSITIONS = "Bundle '%s': golden.json has no positions: export the bundle again."
    const val OTHER_POSITIONS = "Bundle '%s': golden.json is not of this network: export the bundle again."
    const val UNPLAYABLE = "Bundle '%s' cannot be played: %s."
    const val NO_NUMBER = "Bundle '%s': its network answers with what is no number: export the bundle again."
    const val NO_OUTPUT = "Bundle '%s': its network has no '%s' but %s: export the bundle again."
    const val NOT_RUN = "Bundle '%s': TensorFlow Lite cannot run its network (%s): export the bundle again."
}

/** The sentence of a template about a bundle; `where` is what begins it: "Bundle 'NAME'". */
fun sentence(template: String, where: String, vararg places: Any): String =
    where + template.removePrefix("Bundle '%s'").format(*places)
