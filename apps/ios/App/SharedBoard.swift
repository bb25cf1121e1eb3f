import AzxDrawing
import AzxScreens
import SwiftUI

/// A board that people tap, as large as it is given room; spoken spot by spot.
struct SharedBoard: View {
    let board: any AzxDrawing.Board
    let lift: (AzxDrawing.Point) -> Void
    let choose: (Int) -> Void
    @Environment(\.colorScheme) private var scheme
    @Environment(\.displayScale) private var pixels

    var body: some View {
        GeometryReader { geometry in
            let fit = Fit(board, width: geometry.size.width, height: geometry.size.height, pixels: pixels)
            canvas(fit)
                .contentShape(Rectangle())
                .gesture(touch(fit))
                // A canvas has no parts that a screen reader could find.
                .accessibilityChildren { ZStack { spots(fit) } }
        }
        .aspectRatio(board.width / board.height, contentMode: .fit)
        .accessibilityElement(children: .contain)
        .accessibilityLabel(say(board.title))
        .accessibilityIdentifier("board")
    }

    private func canvas(_ fit: Fit) -> some View {
        let pen = Pen(fit: fit, palette: .of(isDark: scheme == .dark))
        return Canvas { context, _ in
            for shape in board.picture(fit.scale) { pen.draw(shape, &context) }
        }
    }

    private func touch(_ fit: Fit) -> some Gesture {
        DragGesture(minimumDistance: 0, coordinateSpace: .local)
            .onEnded { lift(fit.point(x: $0.location.x, y: $0.location.y)) }
    }

    private func spots(_ fit: Fit) -> some View {
        ForEach(board.spoken) { spoken in
            let frame = fit.place(spoken.frame)
            Rectangle()
                .frame(width: frame.width, height: frame.height)
                .accessibilityLabel(say(spoken.said))
                .accessibilityAddTraits(spoken.isButton ? .isButton : [])
                .accessibilityAction { choose(spoken.id) }
                .position(x: frame.centre.x, y: frame.centre.y)
        }
    }
}
