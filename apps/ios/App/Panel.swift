import AzxPlay
import AzxScreens
import SwiftUI

/// Beside the board: who plays with what, what the network has found, the chances, and the choices.
struct Panel: View {
    let room: Room
    let table: AzxPlay.Table
    let presentation: Presentation

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            line("you", say(presentation.pieces[table.session.human]))
            line("ai", say(presentation.pieces[1 - table.session.human]))
            Divider()
            line("simulations", table.progress?.simulations.formatted())
            line("depth", table.progress?.depth.formatted())
            line("win_rate", table.progress?.winRate.map { say(.percent($0)) })
            WinRateGraph(session: table.session)
            Divider()
            Text(say("settings")).font(.headline)
            Controls(room: room, table: table)
            Text(room.runtime ?? "").font(.footnote).foregroundStyle(.secondary)
        }
    }

    private func line(_ key: String, _ value: String?) -> some View {
        LabeledContent(say(key), value: value ?? say("unknown"))
    }
}

/// What a person chooses for the table.
private struct Controls: View {
    let room: Room
    let table: AzxPlay.Table

    var body: some View {
        Picker(say("strength"), selection: choice(\.strength)) {
            ForEach(room.strengths, id: \.self) { Text(say($0.phrase)) }
        }
        Picker(say("who_begins"), selection: choice(\.begins)) {
            ForEach(Begins.allCases, id: \.self) { Text(say($0.phrase)) }
        }
        if room.bundle?.manifest.game == "gomoku" {
            Toggle(say("renju"), isOn: choice(\.isRenju))
        }
        if room.hasPolicy {
            Toggle(say("always_heat"), isOn: choice(\.alwaysHeat))
        }
    }

    private func choice<Chosen>(_ path: WritableKeyPath<Choices, Chosen>) -> Binding<Chosen> {
        Binding { @MainActor in
            table.choices[keyPath: path]
        } set: { @MainActor in
            var choices = table.choices
            choices[keyPath: path] = $0
            table.choose(choices)
        }
    }
}

/// The person's chances by move, as a line.
private struct WinRateGraph: View {
    let session: AzxPlay.Session

    var body: some View {
        let curve = session.curve()
        VStack(alignment: .leading) {
            Canvas { context, size in
                draw(curve, &context, size)
            }
            .frame(height: 90)
            .accessibilityElement()
            .accessibilityLabel(curve.last.map { say("chances_now", say(.percent($0.rate))) } ?? say("chances_unknown"))
            Text(say("chances")).font(.caption).accessibilityHidden(true)
        }
    }

    private func draw(_ curve: [(moves: Int, rate: Double)], _ context: inout GraphicsContext, _ size: CGSize) {
        let (width, height) = (Double(size.width), Double(size.height))
        let x = { (moves: Int) -> Double in width * Double(moves) / Double(max(1, session.moves)) }
        let y = { (rate: Double) -> Double in height * (1 - rate) }
        var even = Path()
        even.move(to: CGPoint(x: 0, y: height / 2))
        even.addLine(to: CGPoint(x: width, y: height / 2))
        context.stroke(even, with: .color(.secondary), style: StrokeStyle(lineWidth: 1, dash: [4, 4]))
        var line = Path()
        line.addLines(curve.map { CGPoint(x: x($0.moves), y: y($0.rate)) })
        context.stroke(line, with: .color(.accentColor), lineWidth: 2)
        for point in curve {
            let dot = CGRect(x: x(point.moves) - 2, y: y(point.rate) - 2, width: 4, height: 4)
            context.fill(Path(ellipseIn: dot), with: .color(.accentColor))
        }
        var now = Path()
        now.move(to: CGPoint(x: x(session.ply), y: 0))
        now.addLine(to: CGPoint(x: x(session.ply), y: height))
        context.stroke(now, with: .color(.primary.opacity(0.4)), lineWidth: 1)
    }
}
