import AzxDrawing
import AzxPlay
import AzxScreens
import SwiftUI

/// A table on a phone: board, players and buttons stay in sight, what is long scrolls behind tabs below them or beside the
/// board.
struct PhoneTable: View {
    let room: Room
    @Bindable var seat: Seat
    let presentation: Presentation
    let layout: TableLayout

    private var table: AzxPlay.Table { seat.table }

    var body: some View {
        layout.beside {
            VStack(spacing: TableLayout.gap) {
                if !layout.isWide { bar(above: true) }
                board
                if !layout.isWide { bar(above: false) }
            }
            .padding(.horizontal, TableLayout.margin)
            .padding(.vertical, TableLayout.gap)
            .frame(maxWidth: .infinity)
            VStack(spacing: TableLayout.gap) {
                if layout.isWide { bar(above: true).padding(.horizontal, TableLayout.margin) }
                headline
                sheet
                if layout.isWide { bar(above: false).padding(.horizontal, TableLayout.margin) }
            }
            // Upright the board has a gap below it.
            .padding(.top, layout.isWide ? TableLayout.gap : 0)
            .padding(.bottom, TableLayout.gap)
            .frame(width: layout.controls.width)
        }
    }

    @ViewBuilder private var board: some View {
        if room.hasValue { EvaluationBar(table: table, game: presentation.game, width: layout.board.width) }
        BoardView(seat: seat).frame(width: layout.board.width, height: layout.board.height)
    }

    /// The opponent is above the board, the person below it.
    @ViewBuilder private func bar(above: Bool) -> some View {
        if !layout.headScrolls {
            let chips = chips(table, presentation)
            ChipView(chip: chips[above ? 1 : 0], game: presentation.game, isLine: true)
        }
    }

    @ViewBuilder private var headline: some View {
        if !layout.headScrolls, let heading = table.heading(presentation) {
            SwiftUI.Text(say(heading))
                .font(.headline)
                .lineLimit(1)
                .minimumScaleFactor(0.6)
                .padding(.horizontal, TableLayout.margin)
        }
    }

    // MARK: The sheet

    @ViewBuilder private var sheet: some View {
        Picker(say("game"), selection: $seat.tab) {
            ForEach(AzxScreens.Tab.allCases, id: \.self) { SwiftUI.Text(say($0.title)) }
        }
        .pickerStyle(.segmented)
        .padding(.horizontal, TableLayout.margin)
        // As one: if there is no note there is no gap for it.
        VStack(spacing: 0) {
            if let first = notes.first, !layout.headScrolls {
                SwiftUI.Text(say(first))
                    .font(.subheadline)
                    .lineLimit(2)
                    .minimumScaleFactor(0.7)
                    .padding(.horizontal, TableLayout.margin)
            }
            panes
        }
        VStack { part(.actions) }
            .frame(height: layout.buttons)
            .padding(.horizontal, TableLayout.margin)
    }

    private var notes: [Phrase] { seat.notes(isComing: room.isComing) }

    /// All tabs exist at once, so that each stays scrolled as it was left.
    private var panes: some View {
        ZStack {
            ForEach(AzxScreens.Tab.allCases, id: \.self) { tab in
                let isShown = tab == seat.tab
                pane(tab)
                    .opacity(isShown ? 1 : 0)
                    .disabled(!isShown)
                    .allowsHitTesting(isShown)
                    .accessibilityHidden(!isShown)
            }
        }
        .frame(maxHeight: .infinity)
    }

    private func pane(_ tab: AzxScreens.Tab) -> some View {
        ScrollViewReader { proxy in
            ScrollView {
                VStack(spacing: 12) {
                    if layout.headScrolls {
                        HeadView(table: table, presentation: presentation, isStacked: layout.stacksChips)
                    }
                    part(.outcome)
                    ForEach(layout.headScrolls ? notes : Array(notes.dropFirst()), id: \.self) { note in
                        SwiftUI.Text(say(note)).font(.subheadline)
                    }
                    ForEach(tab.parts, id: \.self) { part($0) }
                }
                .frame(maxWidth: .infinity)
                .padding(.horizontal, TableLayout.margin)
            }
            .onChange(of: seat.moveInSight) { _, now in
                if tab == .moves, let now { proxy.scrollTo(now) }
            }
        }
    }

    private func part(_ part: Part) -> PartView {
        PartView(part: part, room: room, seat: seat, presentation: presentation, isPhone: true)
    }
}
