import AzxPlay
import AzxScreens
import SwiftUI

/// What holds for the whole app: its colours, its language, its sounds.
struct SettingsScreen: View {
    var body: some View {
        @Bindable var settings = appSettings
        // In a form a picker has its title beside it.
        // https://developer.apple.com/documentation/swiftui/form
        Form {
            Picker(say("theme"), selection: $settings.preferences.theme) {
                ForEach(Theme.allCases, id: \.self) { Text(say($0.phrase)) }
            }
            Picker(say("language"), selection: $settings.preferences.language) {
                ForEach(Language.allCases, id: \.self) { Text(say($0.phrase)) }
            }
            Toggle(say("sound"), isOn: $settings.preferences.hasSound)
            NavigationLink(say("about_title")) { AboutAppScreen() }
        }
        .navigationTitle(say("app_settings"))
        .navigationBarTitleDisplayMode(.inline)
    }
}
