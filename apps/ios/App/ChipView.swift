import AzxDrawing
import AzxScreens
import SwiftUI

/// Who sits on one side of the board: framed where it is that side's turn, or where it has won.
struct ChipView: View {
    let chip: Chip
    let game: String
    @Environment(\.colorScheme) private var scheme
    @Environment(\.displayScale) private var pixels

    var body: some View {
        HStack {
            piece
            VStack(alignment: .leading) {
                SwiftUI.Text(say(chip.who)).font(.headline)
                SwiftUI.Text(say(chip.what)).font(.caption).foregroundStyle(.secondary)
                if let count = chip.count { SwiftUI.Text(say(count)).font(.caption) }
                if let wins = chip.wins { SwiftUI.Text(say(wins)).font(.caption).monospacedDigit() }
                if let mark = chip.mark { SwiftUI.Text(say(mark)).font(.caption).bold() }
            }
        }
        .padding(.all, 8)
        .frame(maxWidth: .infinity)
        .border(chip.mark == nil ? Color.secondary.opacity(0.3) : Color.accentColor, width: chip.mark == nil ? 1 : 2)
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(say(chip.said))
    }

    private var piece: some View {
        let pen = Pen(fit: Fit(square: 28, pixels: pixels), palette: .of(isDark: scheme == .dark))
        return Canvas { context, _ in
            for shape in emblem(of: game, chip.player) { pen.draw(shape, &context) }
        }
        .frame(width: 28, height: 28)
    }
}
