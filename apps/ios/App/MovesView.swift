import AzxPlay
import AzxScreens
import SwiftUI

/// The moves of the game in a row, with their marks, each of which shows its position.
struct MovesView: View {
    let table: AzxPlay.Table

    var body: some View {
        let rows = table.moveRows
        if !rows.isEmpty {
            VStack(alignment: .leading) {
                Text(say("moves_list")).font(.headline)
                ScrollView(.horizontal) {
                    LazyHStack {
                        ForEach(rows) { entry($0) }
                    }
                }
            }
        }
    }

    private func entry(_ row: MoveRow) -> some View {
        Button {
            table.look(at: row.id)
        } label: {
            VStack {
                Text("\(say(.whole(row.id))). \(say(row.move))")
                    .foregroundStyle(row.isShown ? Color.accentColor : Color.primary)
                if let mark = row.mark { Text(say(mark)).font(.caption).foregroundStyle(.red) }
            }
        }
        .buttonStyle(.bordered)
        .accessibilityLabel(say(row.said))
    }
}
