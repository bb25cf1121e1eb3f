/** The texts of what is told of bundles that a person opens. */
package org.azx.app.screens

import org.azx.app.R
import org.azx.app.bundle.GivenSentences
import org.azx.app.bundle.ZipSentences

internal val GIVEN_TEXTS = listOf(
    GivenSentences.MISSING to R.string.given_missing,
    GivenSentences.SIZE to R.string.given_size,
    GivenSentences.HASH to R.string.given_hash,
    GivenSentences.JSON_TOO_LARGE to R.string.given_json_too_large,
    GivenSentences.UNREADABLE to R.string.given_unreadable,
    GivenSentences.NO_ROOM to R.string.given_no_room,
    GivenSentences.NOT_KEPT to R.string.given_not_kept,
    GivenSentences.NOT_REMOVED to R.string.given_not_removed,
    GivenSentences.NOTHING to R.string.given_nothing,
    GivenSentences.TOO_MANY to R.string.given_too_many,
    GivenSentences.TOO_LARGE to R.string.given_too_large,
    GivenSentences.OUTSIDE to R.string.given_outside,
    GivenSentences.TWICE to R.string.given_twice,
    GivenSentences.NO_MANIFEST to R.string.given_no_manifest,
    GivenSentences.SEVERAL to R.string.given_several,
    ZipSentences.NONE to R.string.zip_none,
    ZipSentences.PARTS to R.string.zip_parts,
    ZipSentences.ENTRIES to R.string.zip_entries,
    ZipSentences.ENCRYPTED to R.string.zip_encrypted,
    ZipSentences.PACKING to R.string.zip_packing,
    ZipSentences.MORE to R.string.zip_more,
    ZipSentences.DAMAGED to R.string.zip_damaged,
    ZipSentences.ZIP_64 to R.string.zip_64,
)
