import SwiftUI

/// A sentence in place of what cannot be shown.
struct FailureView: View {
    let title: String
    let sentence: String

    var body: some View {
        ContentUnavailableView(title, systemImage: "exclamationmark.triangle", description: Text(sentence))
    }
}

/// The ways out of a failure; the primary button is the one that helps. Another try cannot mend a faulty bundle.
struct FailureActs: View {
    let mayPass: Bool
    let tryAgain: @MainActor () -> Void
    /// A new game; nil if there is no table for it.
    var anew: (@MainActor () -> Void)?
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        ButtonRow(isLine: false) {
            button("back_to_games", isPrimary: !mayPass) { dismiss() }
            if let anew { Button(say("new_game"), action: anew) }
            button("retry", isPrimary: mayPass, tryAgain)
        }
    }

    @ViewBuilder private func button(_ key: String, isPrimary: Bool, _ act: @escaping @MainActor () -> Void) -> some View {
        if isPrimary {
            Button(say(key), action: act).buttonStyle(.borderedProminent)
        } else {
            Button(say(key), action: act)
        }
    }
}
