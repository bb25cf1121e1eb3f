import AzxPlay
import AzxScreens
import SwiftUI

/// What a record tells of its game and of the position that is shown, and how its variations go on.
struct AboutView: View {
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
            ForEach(about.facts) { LabeledContent(say($0.title), value: $0.text) }
        }
        .frame(maxWidth: .infinity)
    }
}
