import AzxPlay
import AzxScreens
import SwiftUI

/// The record's comment on the shown position, and its variations from there.
struct CommentView: View {
    let table: AzxPlay.Table

    var body: some View {
        let about = table.about
        VStack(alignment: .leading, spacing: 8) {
            if let comment = about.comment { Text(comment) }
            if !about.branches.isEmpty {
                Text(say("record_branches")).font(.subheadline)
                ForEach(about.branches) { branch in
                    Button(say(branch.move)) { table.play(branch.id) }.buttonStyle(.bordered)
                }
            }
            if let leftOut = about.leftOut { Text(say(leftOut)).font(.subheadline) }
        }
        .frame(maxWidth: .infinity)
    }
}

/// The record's facts of its game.
struct FactsView: View {
    let table: AzxPlay.Table

    var body: some View {
        ForEach(table.about.facts) { LabeledContent(say($0.title), value: $0.text) }
    }
}
