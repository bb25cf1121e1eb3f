import AzxScreens
import SwiftUI

/// Asks whether a network sees the board as is assumed; who chooses another reading plays a new game by it.
struct ReadingsView: View {
    let readings: [ReadingRow]
    /// Gets the chosen reading; nil if the old one stays.
    let close: (ReadingRow?) -> Void

    var body: some View {
        List {
            Section(say("reading_ask")) {
                ForEach(readings) { row($0) }
            }
            Text(say("reading_about")).font(.footnote).foregroundStyle(.secondary)
            Button(say("cancel"), role: .cancel) { close(nil) }
        }
    }

    private func row(_ reading: ReadingRow) -> some View {
        Button {
            close(reading.isChosen ? nil : reading)
        } label: {
            HStack {
                VStack(alignment: .leading) {
                    Text(say(.opening(reading.reading)))
                    Text(say(reading.about)).font(.caption).foregroundStyle(.secondary)
                }
                Spacer()
                if reading.isChosen { Image(systemName: "checkmark").accessibilityHidden(true) }
            }
        }
        .accessibilityAddTraits(reading.isChosen ? .isSelected : [])
    }
}
