import AzxDrawing
import AzxPlay
import AzxScreens
import SwiftUI

/// The board of a table: drawn, tapped, and spoken spot by spot.
struct BoardView: View {
    let table: AzxPlay.Table
    @Environment(\.colorScheme) private var scheme
    @Environment(\.displayScale) private var pixels

    var body: some View {
        if let board = table.board {
            GeometryReader { geometry in
                let fit = Fit(board, width: geometry.size.width, height: geometry.size.height, pixels: pixels)
                let pen = Pen(fit: fit, palette: .of(isDark: scheme == .dark))
                Canvas { context, _ in
                    for shape in board.drawn(fit.scale) { pen.draw(shape, &context) }
                }
                .contentShape(Rectangle())
                .onTapGesture(coordinateSpace: .local) { point in
                    if let action = board.action(at: fit.point(x: point.x, y: point.y)) { table.play(action) }
                }
                // A canvas has no parts that a screen reader could find.
                .accessibilityChildren {
                    ForEach(board.spoken) { spoken in
                        let frame = fit.place(spoken.frame)
                        Rectangle()
                            .frame(width: frame.width, height: frame.height)
                            .position(x: frame.centre.x, y: frame.centre.y)
                            .accessibilityLabel(say(spoken.said))
                            .accessibilityAddTraits(spoken.isButton ? .isButton : [])
                            .accessibilityAction { table.play(spoken.action) }
                    }
                }
            }
            .aspectRatio(board.width / board.height, contentMode: .fit)
            .frame(maxWidth: 640)
            .accessibilityLabel(say(board.title))
        }
    }
}
