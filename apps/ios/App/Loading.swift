import AzxCoreML
import AzxNetwork
import AzxScreens

/// Make a bundle's network run in Core ML, on units that are called as the app's language has it.
let loadCoreML: Loading = { bundle, units in
    try await CoreMLEvaluator(bundle, units, words: say(units.phrase))
}
