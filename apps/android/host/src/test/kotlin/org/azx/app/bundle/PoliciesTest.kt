package org.azx.app.bundle

import org.azx.app.engine.Evaluation
import org.azx.app.engine.membersOf
import org.azx.app.engine.parseJson
import org.azx.app.engine.priors
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import java.io.File

/** How a policy is read, by policies.json: docs/fixtures.md describes it. */
class PoliciesTest {
    private val file = membersOf(parseJson(File(ROOT, "mobile_assets/fixtures/policies.json").readText()))

    private fun numbers(data: Any?): DoubleArray = (data as List<*>).map { (it as Number).toDouble() }.toDoubleArray()

    /** The policy of a manifest with what a case states of it. */
    private fun policy(case: Map<String, Any?>): Output {
        val output = mapOf("name" to "policy", "role" to "policy", "shape" to listOf(4)) + case
        val manifest = mapOf(
            "schema_version" to 1, "name" to "one", "files" to emptyList<Any>(),
            "recommended" to emptyMap<String, Any>(), "checkpoint" to mapOf("parameters" to 2),
            "inputs" to listOf(mapOf("name" to "board", "shape" to listOf(9))), "outputs" to listOf(output),
        )
        return manifestFrom(manifest, "one").outputs.single()
    }

    @Test
    fun `every position of every case is read as all languages read it`() {
        val (cases, tolerance) = (file["cases"] as List<*>).map(::membersOf) to file["tolerance"] as Double
        assertTrue(cases.size >= 12)
        for (case in cases) {
            val isLogits = policy(case).policyRange == PolicyRange.LOGITS
            assertEquals("${case["activation"]} ${case["policy_range"]}", case["logits"], isLogits)
            val legal = numbers(case["legal"]).map { it.toInt() }.toIntArray()
            for ((outputs, expected) in (case["outputs"] as List<*>).zip(case["priors"] as List<*>)) {
                val policy = numbers(outputs).map { it.toFloat() }.toFloatArray()
                assertArrayEquals(numbers(expected), priors(Evaluation(0.0, policy, isLogits), legal), tolerance)
            }
        }
    }
}
