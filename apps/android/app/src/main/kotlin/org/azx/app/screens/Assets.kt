package org.azx.app.screens

import android.content.Context
import org.azx.app.bundle.AssetStore
import org.azx.app.bundle.Store

/** Where the screens find bundles: among the app's assets, unless a test puts others there. */
object Assets {
    var store: (Context) -> Store = { AssetStore(it.assets) }
}
