/** docs/in-your-app.md: the rules and the search, as they stand there. */
package org.azx.host.listings

import org.azx.app.bundle.Bundle
import org.azx.app.bundle.Store
import org.azx.app.bundle.readIndex
import org.azx.app.engine.Search
import org.azx.app.engine.State
import org.azx.app.network.TfLite

fun firstMove(store: Store): State { // AssetStore(context.assets)
    val bundle = Bundle.open(readIndex(store).first { it.name == "connect4" }, store)
    val state = bundle.reading.start()
    return TfLite(bundle.model(), bundle.manifest, bundle.reading).use { network ->
        val search = Search(state, network, proves = true, settings = bundle.search)
        search.run(200)
        state.apply(search.bestAction())
    }
}
