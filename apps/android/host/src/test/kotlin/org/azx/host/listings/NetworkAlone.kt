/** docs/in-your-app.md: the network alone, as it stands there. */
package org.azx.host.listings

import org.tensorflow.lite.Interpreter
import java.io.File

fun ask(file: File): Pair<Float, FloatArray> {
    val board = Array(1) { Array(2) { Array(6) { FloatArray(7) } } }
    val (value, policy) = Array(1) { FloatArray(1) } to Array(1) { FloatArray(42) }
    val outputs = mapOf<String, Any>("value_head" to value, "policy_head" to policy)
    Interpreter(file).use { it.runSignature(mapOf<String, Any>("main_input" to board), outputs, "serving_default") }
    return value[0][0] to policy[0]
}
