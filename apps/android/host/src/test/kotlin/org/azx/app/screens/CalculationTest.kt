package org.azx.app.screens

import org.azx.app.bundle.ROOT
import org.azx.app.bundle.calculationOf
import org.azx.app.bundle.manifestFrom
import org.azx.app.engine.membersOf
import org.azx.app.engine.parseJson
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import java.io.File

/** What is said of an artifact's bytes: in Python's words, for each of calculations.json's cases. */
class CalculationTest : Stage() {
    private val rest = mapOf(
        "schema_version" to 1, "name" to "one", "files" to emptyList<Any>(), "batch" to 1,
        "recommended" to mapOf("android" to PATH), "checkpoint" to mapOf("parameters" to 2),
        "inputs" to listOf(mapOf("name" to "board", "shape" to listOf(2))),
        "outputs" to listOf(mapOf("name" to "value", "shape" to listOf(1), "role" to "value", "activation" to "tanh")),
    )

    @Test
    fun `every case is said as Python says it`() {
        val file = File(ROOT, "mobile_assets/fixtures/calculations.json")
        val cases = membersOf(parseJson(file.readText()))["cases"] as List<*>
        assertTrue(cases.size >= 14)
        for (case in cases.map(::membersOf)) {
            val artifacts = listOf(null, mapOf("path" to PATH, "calculation" to case["calculation"]))
            val manifest = manifestFrom(rest + mapOf("artifacts" to artifacts), "one")
            val said = calculationOf(manifest, manifest.artifact)?.let(Words(app.resources)::text)
            assertEquals(case["about"].toString(), case["sentence"], said)
            assertNull(calculationOf(manifest, "another"))
        }
    }

    private companion object {
        const val PATH = "one.tflite"
    }
}
