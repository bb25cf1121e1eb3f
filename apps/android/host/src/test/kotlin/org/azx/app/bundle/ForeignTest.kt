package org.azx.app.bundle

import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test
import java.io.ByteArrayInputStream

/** Networks of other formats: named by what they are, with what to run. */
class ForeignTest {
    private fun file(name: String, head: String = "anything"): Text? =
        foreignFile(name, head.toByteArray(Charsets.ISO_8859_1))?.text

    private fun among(what: String, vararg paths: String): Text? =
        foreignAmong(paths.map { Member(it, 1) { ByteArrayInputStream(ByteArray(1)) } }, what)?.text

    private fun other(name: String, format: String) = Text("given_other_format", name, format, "TFLite", "tflite")

    @Test
    fun `a file is told by its first bytes, whatever it is called`() {
        val hdf5 = "\u0089HDF\r\n\u001a\n"
        assertEquals(Text("given_keras", "net.bin", "tflite"), file("net.bin", hdf5))
        assertEquals(Text("given_alone", "net", "TFLite"), file("net", "\u001c\u0000\u0000\u0000TFL3"))
        assertNull("cut short", file("net.bin", hdf5.dropLast(1)))
        assertNull(file("net.bin", "PK\u0003\u0004"))
        assertNull("nothing", file("net.bin", ""))
    }

    @Test
    fun `or else by its name`() {
        for (name in listOf("net.h5", "net.hdf5", "NET.KERAS")) {
            assertEquals(Text("given_keras", name, "tflite"), file(name))
        }
        assertEquals(Text("given_alone", "net.tflite", "TFLite"), file("net.tflite"))
        assertEquals(other("net.onnx", "ONNX"), file("net.onnx"))
        assertEquals(other("net.pb", "TensorFlow"), file("net.pb"))
        assertEquals(other("net.mlmodel", "Core ML"), file("net.mlmodel"))
        assertEquals(other("model.json", "TF.js"), file("model.json"))
        assertEquals(Text("given_saved_model", "saved_model.pb", "tflite"), file("saved_model.pb"))
        val others = listOf("net.zip", "onnx", "net.onnx.zip", "manifest.json", "game.sgf")
        for (name in others) assertNull(name, file(name))
    }

    @Test
    fun `a folder and a zip are told by the first network in them`() {
        val keras = arrayOf("metadata.json", "config.json", "model.weights.h5")
        assertEquals(Text("given_keras", "net.zip", "tflite"), among("net.zip", *keras))
        assertEquals(other("it.zip/export/net.onnx", "ONNX"), among("it.zip", "notes.txt", "export/net.onnx", "net.pb"))
        assertEquals(other("mine/net.onnx", "ONNX"), among("mine", "mine/net.onnx"))
        val inside = "mine/net.mlpackage/Data/com.apple.CoreML/model.mlmodel"
        assertEquals(other("mine/net.mlpackage", "Core ML"), among("mine", inside))
        assertEquals(Text("given_saved_model", "mine/saved_model.pb", "tflite"), among("mine", "mine/saved_model.pb"))
        assertNull(among("mine", "mine/notes.txt"))
        assertNull(among("it.zip"))
    }
}
