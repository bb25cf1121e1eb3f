import AzxDrawing
import AzxPlay
import AzxScreens
import SwiftUI

/// The bar above the board: how much of it belongs to the near player. The graph's label says the same.
struct EvaluationBar: View {
    let table: AzxPlay.Table
    let game: String
    let width: Double
    @Environment(\.displayScale) private var pixels

    var body: some View {
        let shapes = evaluationBar(
            of: game, near: table.session.side, share: table.panel.share, length: width / TableLayout.bar)
        Drawing(shapes: shapes, fit: Fit(square: TableLayout.bar, pixels: pixels))
            .frame(width: width, height: TableLayout.bar)
            .accessibilityHidden(true)
    }
}
