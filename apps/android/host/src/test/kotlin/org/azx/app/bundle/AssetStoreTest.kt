package org.azx.app.bundle

import android.content.res.AssetFileDescriptor
import android.os.ParcelFileDescriptor
import android.os.ParcelFileDescriptor.MODE_READ_ONLY
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Assume.assumeTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import java.io.IOException
import java.nio.ByteBuffer

@RunWith(RobolectricTestRunner::class)
class AssetStoreTest {
    @get:Rule
    val folder = TemporaryFolder()

    private val store by lazy { AssetStore(RuntimeEnvironment.getApplication().assets) }

    @Test
    fun `an asset that is not there is told like a missing file`() {
        assertNull(store.bytesOrNull("nowhere/manifest.json"))
        assertThrows(IOException::class.java) { store.map("nowhere/nothing.tflite") }
    }

    @Test
    fun `installed networks are mapped and are what their manifests say`() {
        val entries = readIndex(store)
        assumeTrue("No bundles are installed: run make android.", entries.isNotEmpty())
        for (entry in entries) {
            val bundle = Bundle.open(entry, store)
            assertTrue(bundle.model().isDirect)
            assertEquals(20, bundle.golden().size)
        }
    }

    @Test
    fun `an asset is mapped where it begins at a multiple of four, and nowhere else`() {
        val file = folder.newFile().apply { writeBytes(ByteArray(16) { it.toByte() }) }
        for (start in 0..8) {
            val asset = AssetFileDescriptor(ParcelFileDescriptor.open(file, MODE_READ_ONLY), start.toLong(), 5)
            val mapped = asset.use(::mapAligned)
            val bytes = ByteBuffer.wrap(ByteArray(5) { (start + it).toByte() })
            assertEquals(if (start % 4 == 0) bytes else null, mapped)
        }
    }

    @Test
    fun `a mapped file has the bytes of the stream`() {
        assumeTrue("No bundles are installed: run make android.", readIndex(store).isNotEmpty())
        val mapped = store.map("index.json")
        assertEquals(ByteBuffer.wrap(store.open("index.json").use { it.readBytes() }), mapped.duplicate())
    }
}
