import AzxPlay
import AzxScreens
import SwiftUI

/// A table: the board, the texts about the game, and the controls, beside each other if there is room.
struct TableView: View {
    let room: Room
    let seat: Seat
    let presentation: Presentation
    @Environment(\.dynamicTypeSize) private var textSize

    private var table: AzxPlay.Table { seat.table }

    var body: some View {
        content
            .sheet(isPresented: hasTerms) { TermsView(room: room, seat: seat).presentationDetents([.medium, .large]) }
    }

    @ViewBuilder private var content: some View {
        if let complaint = table.complaint {
            // One view: of several each would have the sheet.
            VStack {
                FailureView(title: say("went_wrong"), sentence: say(complaint))
                FailureActs(mayPass: table.mayPass, tryAgain: table.askAgain, anew: seat.restart).padding()
            }
        } else {
            GeometryReader { geometry in
                sides(layout(geometry.size))
            }
            .sensoryFeedback(.impact, trigger: seat.felt)
            .sensoryFeedback(.error, trigger: seat.refusals)
            .onChange(of: seat.heard) { _, now in
                if let now, appSettings.preferences.hasSound { speaker.play(now.tone) }
            }
            .onChange(of: seat.news) { _, now in AccessibilityNotification.Announcement(say(now.said)).post() }
            .onChange(of: table.scoreboard) { _, now in
                if let now { AccessibilityNotification.Announcement(say(now.said)).post() }
            }
            .onChange(of: seat.cursor) { AccessibilityNotification.Announcement(say(seat.underKeys)).post() }
        }
    }

    private var hasTerms: Binding<Bool> {
        Binding { @MainActor in seat.terms != nil } set: { @MainActor in if !$0 { seat.terms = nil } }
    }

    private func layout(_ room: CGSize) -> TableLayout {
        let ratio = table.board.map { $0.width / $0.height } ?? 1
        return TableLayout.of(
            width: room.width, height: room.height, text: TextSize(textSize), ratio: ratio, isReview: table.isReplay)
    }

    @ViewBuilder private func sides(_ layout: TableLayout) -> some View {
        if layout.hasTabs {
            PhoneTable(room: room, seat: seat, presentation: presentation, layout: layout)
        } else {
            layout.beside {
                main(layout).padding(.horizontal, TableLayout.margin).frame(maxWidth: .infinity)
                scrolled(layout).frame(width: layout.controls.width)
            }
        }
    }

    private func main(_ layout: TableLayout) -> some View {
        VStack(spacing: TableLayout.gap) {
            if !layout.headScrolls { head(layout) }
            if room.hasValue { EvaluationBar(table: table, game: presentation.game, width: layout.board.width) }
            BoardView(seat: seat).frame(width: layout.board.width, height: layout.board.height)
        }
    }

    private func scrolled(_ layout: TableLayout) -> some View {
        ScrollView {
            VStack(spacing: 16) {
                if layout.headScrolls { head(layout) }
                ForEach(Part.column, id: \.self) {
                    PartView(part: $0, room: room, seat: seat, presentation: presentation, isPhone: false)
                }
            }
            .padding()
        }
    }

    private func head(_ layout: TableLayout) -> some View {
        HeadView(table: table, presentation: presentation, isStacked: layout.stacksChips)
    }
}

/// Who plays, and how the game is.
struct HeadView: View {
    let table: AzxPlay.Table
    let presentation: Presentation
    let isStacked: Bool

    var body: some View {
        if isStacked { VStack { players } } else { HStack { players } }
        if let heading = table.heading(presentation) { Text(say(heading)).font(.headline) }
    }

    private var players: some View {
        ForEach(chips(table, presentation)) { ChipView(chip: $0, game: presentation.game) }
    }
}

extension TableLayout {
    /// Beside each other, or below: the same views all the same, which a turned device leaves as they are.
    /// https://developer.apple.com/documentation/swiftui/anylayout
    var beside: AnyLayout {
        isWide ? AnyLayout(HStackLayout(alignment: .top, spacing: 0)) : AnyLayout(VStackLayout(spacing: 0))
    }
}

extension TextSize {
    /// The size that was chosen in the system; the usual one for a size that a later system adds.
    init(_ size: DynamicTypeSize) {
        // Both have the same cases in the same order.
        self = DynamicTypeSize.allCases.firstIndex(of: size).flatMap(TextSize.init(rawValue:)) ?? .large
    }
}
