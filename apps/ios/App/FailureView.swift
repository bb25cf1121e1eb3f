import SwiftUI

/// A sentence in place of what cannot be shown.
struct FailureView: View {
    let title: String
    let sentence: String

    var body: some View {
        ContentUnavailableView(title, systemImage: "exclamationmark.triangle", description: Text(sentence))
    }
}
