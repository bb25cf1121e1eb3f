import Foundation
import SwiftUI

/// The facts that a store asks for: the version, the use of a person's data, and the licences.
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
