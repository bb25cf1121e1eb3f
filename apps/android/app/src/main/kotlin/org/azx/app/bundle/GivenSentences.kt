/** What is told of bundles that a person opens and that cannot be used, with `%s` for what differs. */
package org.azx.app.bundle

object GivenSentences {
    const val NOTHING = "There was no file in what was given: open a bundle's folder, or a .zip of it."
    const val TOO_MANY = "'%s' has more than %s files: open the folder of one bundle."
    const val TOO_LARGE = "'%s' is larger than the %s MB that this app takes: export it with --format tflite alone."
    const val OUTSIDE = "'%s' names '%s', which is no path inside of it: do not use it."
    const val TWICE = "'%s' has '%s' twice: pack the bundle's folder again."
    const val NO_MANIFEST = "'%s' holds no manifest.json: open the folder that azx export wrote, or a .zip of it."
    const val SEVERAL = "'%s' holds %s bundles: open one of them."
    const val MISSING = "Bundle '%s': '%s' is missing: copy or export the bundle again."
    const val SIZE = "Bundle '%s': '%s' has %s bytes, its manifest says %s: copy or export the bundle again."
    const val HASH =
        "Bundle '%s': '%s' is not the file of its manifest (SHA-256 differs): copy or export the bundle again."
    const val JSON_TOO_LARGE =
        "Bundle '%s': '%s' has %s MB, this app reads %s MB at most: copy or export the bundle again."
    const val UNREADABLE = "Bundle '%s': '%s' cannot be read (%s): open it again."
    const val NO_ROOM =
        "Bundle '%s' has %s MB, and this device has no room to keep it: remove another one and open it again."
    const val NOT_KEPT = "Bundle '%s' cannot be kept on this device (%s): open it again."
    const val NOT_REMOVED = "Bundle '%s' cannot be removed (%s): clear the app's storage in the system's settings."
}

object ZipSentences {
    const val NONE = "'%s' is no .zip, or is cut short: open a bundle's folder, or a .zip of it."
    const val PARTS = "'%s' is one of several parts of a .zip: pack the bundle's folder as one .zip."
    const val ENTRIES = "'%s' has %s entries, and a bundle at most %s: pack its folder alone."
    const val ENCRYPTED = "'%s' is encrypted ('%s'): pack it without a password."
    const val PACKING = "'%s' packs '%s' in a way that this app does not unpack (%s): use Deflate."
    const val MORE = "'%s' holds more than its directory says: it is damaged, or made to fill memory."
    const val DAMAGED = "'%s' is damaged: pack the bundle's folder again."
    const val ZIP_64 = "'%s' is a Zip64, which is for files too large for this app: open the bundle's folder."
}
