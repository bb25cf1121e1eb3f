import AzxBundle
import AzxPlay
import AzxScreens
import SwiftUI

/// Seven games against networks that run on this device.
@main
struct AzxApp: App {
    var body: some Scene {
        WindowGroup {
            Root()
        }
    }
}

/// The settings of the whole app.
@MainActor let appSettings = AppSettings(keeping: UserDefaults.standard)

/// The games that were played, watched or opened here.
@MainActor let library = Library(GameFiles(URL.applicationSupportDirectory.appending(path: GameFiles.folder)))

/// The list of games, in the colours that were chosen.
private struct Root: View {
    var body: some View {
        GamesList(
            store: Store(Bundle.main.bundleURL.appending(path: Store.folder)),
            given: GivenBundles(URL.applicationSupportDirectory.appending(path: GivenBundles.folder))
        )
            .preferredColorScheme(appSettings.preferences.theme.isDark.map { $0 ? .dark : .light })
            .environment(\.locale, spoken.locale)
    }
}
