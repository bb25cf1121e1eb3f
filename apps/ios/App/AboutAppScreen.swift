import Foundation
import SwiftUI

/// What a store asks for: the version, what the app does with a person's data, and its licences.
struct AboutAppScreen: View {
    /// The repository's LICENSE, which the build copies.
    private static let licence = Bundle.main.url(forResource: "Licence", withExtension: "txt")
        .flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? ""

    var body: some View {
        List {
            Text(say("about_version", Self.version))
            Section(say("about_privacy")) { Text(say("about_privacy_text")) }
            Section(say("about_licences")) {
                Text(say("about_licences_text"))
                Text(Self.licence).font(.footnote)
            }
        }
        .navigationTitle(say("about_title"))
        .navigationBarTitleDisplayMode(.inline)
    }

    private static var version: String {
        Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String ?? ""
    }
}
