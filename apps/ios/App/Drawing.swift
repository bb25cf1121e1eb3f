import AzxDrawing
import AzxScreens
import SwiftUI

/// Shapes of a board, as large as `fit` says, in the colours of the app's appearance.
struct Drawing: View {
    let shapes: [AzxDrawing.Shape]
    let fit: Fit
    @Environment(\.colorScheme) private var scheme

    var body: some View {
        let pen = Pen(fit: fit, palette: .of(isDark: scheme == .dark))
        Canvas { context, _ in
            for shape in shapes { pen.draw(shape, &context) }
        }
    }
}

/// What a screen reader finds of a board, which a canvas does not have: its spots, in their places.
struct Spots: View {
    let board: any AzxDrawing.Board
    let fit: Fit
    let choose: (Int) -> Void

    var body: some View {
        ZStack { ForEach(board.spoken) { spot($0) } }
    }

    private func spot(_ spoken: AzxDrawing.Spoken) -> some View {
        let frame = fit.place(spoken.frame)
        return Rectangle()
            .frame(width: frame.width, height: frame.height)
            .accessibilityLabel(say(spoken.said))
            .accessibilityAddTraits(spoken.isButton ? .isButton : [])
            .accessibilityAction { choose(spoken.id) }
            // Last: what has a position is as large as all of the board.
            .position(x: frame.centre.x, y: frame.centre.y)
    }
}

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

/// A position, small; what stands beside it says what it is. It is drawn anew for another `id`.
struct GamePicture: View {
    private static let side = 72.0
    let id: String
    let load: @MainActor () async -> (any AzxDrawing.Board)?
    @SwiftUI.State private var board: (any AzxDrawing.Board)?
    @Environment(\.displayScale) private var pixels

    var body: some View {
        picture
            .frame(width: Self.side, height: Self.side)
            .accessibilityHidden(true)
            .task(id: id) { board = await load() }
    }

    @ViewBuilder private var picture: some View {
        if let board {
            let fit = Fit(board, width: Self.side, height: Self.side, pixels: pixels)
            Drawing(shapes: board.picture(fit.scale), fit: fit)
        }
    }
}
