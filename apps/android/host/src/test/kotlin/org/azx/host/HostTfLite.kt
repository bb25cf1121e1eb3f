package org.azx.host

import java.io.File

/**
 * Loads TFLite's native library on this machine, whose Java classes don't do it themselves.
 *
 * It must come from the class loader of those classes, so neither may be in Robolectric's sandbox: see
 * `org.robolectric.packagesToNotAcquire` in pom.xml.
 */
object HostTfLite {
    /** Call it before the first network is opened; more often does no harm. */
    @JvmStatic
    fun load() = Unit

    init {
        val folder = System.getProperty("tflite.dir") ?: error("tflite.dir is not set: run the tests with Maven.")
        System.load(File(folder, System.mapLibraryName("tensorflowlite_jni")).absolutePath)
    }
}
