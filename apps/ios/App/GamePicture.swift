import AzxDrawing
import SwiftUI

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
