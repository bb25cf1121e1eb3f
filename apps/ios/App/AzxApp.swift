import AzxBundle
import SwiftUI

/// Five games against networks that run on this device.
@main
struct AzxApp: App {
    var body: some Scene {
        WindowGroup {
            GamesList(store: Store(Bundle.main.bundleURL.appending(path: Store.folder)))
        }
    }
}
