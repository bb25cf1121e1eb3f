import AzxPlay
import AzxScreens
import SwiftUI

/// What holds for the whole app: its colours, its language, its sounds.
struct SettingsScreen: View {
    var body: some View {
        // In a form a picker has its title beside it.
        // https://developer.apple.com/documentation/swiftui/form
        Form {
            Picker(say("theme"), selection: choice(\.theme)) {
                ForEach(Theme.allCases, id: \.self) { Text(say($0.phrase)) }
            }
            Picker(say("language"), selection: choice(\.language)) {
                ForEach(Language.allCases, id: \.self) { Text(say($0.phrase)) }
            }
            Toggle(say("sound"), isOn: choice(\.hasSound))
            NavigationLink(say("about_title")) { AboutAppScreen() }
        }
        .navigationTitle(say("app_settings"))
        .navigationBarTitleDisplayMode(.inline)
    }

    private func choice<Chosen>(_ path: WritableKeyPath<Preferences, Chosen> & Sendable) -> Binding<Chosen> {
        Binding { @MainActor in
            appSettings.preferences[keyPath: path]
        } set: { @MainActor in
            appSettings.preferences[keyPath: path] = $0
        }
    }
}
