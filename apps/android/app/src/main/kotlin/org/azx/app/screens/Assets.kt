package org.azx.app.screens

import android.content.Context
import org.azx.app.bundle.AssetStore
import org.azx.app.bundle.Bundle
import org.azx.app.bundle.Store
import org.azx.app.network.Network
import org.azx.app.network.TfLite

/** Where the screens find bundles, and what runs their networks, unless a test puts something else there. */
object Assets {
    var store: (Context) -> Store = { AssetStore(it.assets) }
    var network: (Bundle) -> Network = { TfLite(it.model(), it.manifest, it.reading) }
}
