import AzxDrawing
import AzxScreens
import SwiftUI

/// A board that people tap, as large as it is given room; spoken spot by spot.
struct SharedBoard: View {
    let board: any AzxDrawing.Board
    let lift: (AzxDrawing.Point) -> Void
    let choose: (Int) -> Void
    @Environment(\.displayScale) private var pixels

    var body: some View {
        GeometryReader { geometry in
            let fit = Fit(board, width: geometry.size.width, height: geometry.size.height, pixels: pixels)
            Drawing(shapes: board.picture(fit.scale), fit: fit)
                .contentShape(Rectangle())
                .gesture(touch(fit))
                .accessibilityChildren { Spots(board: board, fit: fit, choose: choose) }
        }
        .aspectRatio(board.width / board.height, contentMode: .fit)
        .accessibilityElement(children: .contain)
        .accessibilityLabel(say(board.title))
        .accessibilityIdentifier("board")
    }

    private func touch(_ fit: Fit) -> some Gesture {
        DragGesture(minimumDistance: 0, coordinateSpace: .local)
            .onEnded { lift(fit.point(x: $0.location.x, y: $0.location.y)) }
    }
}
