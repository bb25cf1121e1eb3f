import AzxDrawing
import AzxScreens
import SwiftUI

/// A player at one side of the board: framed if it is that side's turn, or if it has won.
struct ChipView: View {
    let chip: Chip
    let game: String
    /// Whether it is one line, above or below the board of a phone.
    var isLine = false
    @Environment(\.displayScale) private var pixels

    var body: some View {
        HStack {
            Drawing(shapes: emblem(of: game, chip.player), fit: Fit(square: 28, pixels: pixels)).frame(width: 28, height: 28)
            if isLine {
                // A line stays as high as it is: what is long gets smaller.
                Group { words }.lineLimit(1).minimumScaleFactor(0.6)
            } else {
                VStack(alignment: .leading) { words }
            }
        }
        .padding(.horizontal, 8)
        .padding(.vertical, isLine ? TableLayout.gap / 2 : 8)
        .frame(maxWidth: .infinity)
        .border(chip.mark == nil ? Color.secondary.opacity(0.3) : Color.accentColor, width: chip.mark == nil ? 1 : 2)
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(say(chip.said))
    }

    @ViewBuilder private var words: some View {
        SwiftUI.Text(say(chip.who)).font(.headline)
        if let what = chip.what { SwiftUI.Text(say(.opening(.phrase(what)))).font(.caption).foregroundStyle(.secondary) }
        if isLine { Spacer() }
        if let count = chip.count { SwiftUI.Text(say(count)).font(.caption) }
        if let wins = chip.wins { SwiftUI.Text(say(wins)).font(.caption).monospacedDigit() }
        if let mark = chip.mark { SwiftUI.Text(say(mark)).font(.caption).bold() }
    }
}
