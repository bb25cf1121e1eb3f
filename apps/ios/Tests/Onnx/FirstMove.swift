/// docs/in-your-app.md: the rules and the search as they stand there, with ONNX Runtime in Core ML's place.

import AzxBundle
import AzxEngine
import AzxNetwork
import OnnxRuntime

func firstMove(_ store: Store) async throws -> any State {  // Store(Bundle.main.resourceURL!)
    let entry = try readIndex(store).first { $0.name == "connect4" }!
    let bundle = try GameBundle(entry, store)
    let network = try OnnxNetwork(bundle)
    let state = try bundle.reading.start()
    let search = Search(state, NetworkEvaluator(network, bundle), proves: true, settings: bundle.search)
    try await search.run(200)
    return try await state.apply(search.bestAction())
}
