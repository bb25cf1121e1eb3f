import AzxPlay
import AzxScreens
import SwiftUI

/// The moves of the game with their marks, each of which shows its position: in a row, or below each other in a tab.
struct MovesView: View {
    let table: AzxPlay.Table
    let isGrid: Bool
    @Environment(\.dynamicTypeSize) private var textSize

    var body: some View {
        let rows = table.moveRows
        if !rows.isEmpty || table.stonesSetUp != nil {
            VStack(alignment: .leading) {
                Text(say("moves_list")).font(.headline)
                if let said = table.stonesSetUp { Text(say(said)).font(.caption).foregroundStyle(.secondary) }
                if isGrid {
                    LazyVGrid(columns: columns) { entries(rows) }
                } else {
                    ScrollViewReader { proxy in
                        ScrollView(.horizontal) {
                            LazyHStack { entries(rows) }
                        }
                        .onChange(of: table.moveInSight, initial: true) { _, now in
                            if let now { proxy.scrollTo(now, anchor: .center) }
                        }
                    }
                }
            }
        }
    }

    /// Large letters have a line of their own.
    private var columns: [GridItem] {
        TextSize(textSize).isAccessibility ? [GridItem(.flexible())] : [GridItem(.adaptive(minimum: 120))]
    }

    private func entries(_ rows: [MoveRow]) -> some View { ForEach(rows) { entry($0) } }

    /// By its anchor it is brought into sight, here or by what scrolls around it.
    private func entry(_ row: MoveRow) -> some View {
        Button {
            table.look(at: row.id)
        } label: {
            VStack {
                Text("\(say(.whole(row.number))). \(say(row.move))")
                    .foregroundStyle(row.isShown ? Color.accentColor : Color.primary)
                if let mark = row.mark { Text(say(mark)).font(.caption).foregroundStyle(.red) }
            }
        }
        .buttonStyle(.bordered)
        .accessibilityLabel(say(row.said))
        .id(row.anchor)
    }
}
