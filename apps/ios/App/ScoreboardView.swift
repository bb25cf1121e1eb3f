import AzxPlay
import AzxScreens
import SwiftUI

/// The score of a series: which game it is, and what each side has won until now.
struct ScoreboardView: View {
    let table: AzxPlay.Table
    let score: Scoreboard

    var body: some View {
        VStack {
            Text(say(score.title)).font(.headline)
            Grid {
                ForEach(score.tiles) { tile in
                    GridRow {
                        Text(say(tile.name))
                        Text(say(.whole(tile.count))).monospacedDigit()
                    }
                    .accessibilityElement(children: .combine)
                }
            }
            if let about = score.about { Text(say(about)).font(.subheadline) }
            if score.canStop, let series = table.series {
                Button(say("series_stop"), action: series.stop).buttonStyle(.bordered)
            }
        }
        .frame(maxWidth: .infinity)
    }
}
