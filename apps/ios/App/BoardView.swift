import AzxDrawing
import AzxPlay
import AzxScreens
import SwiftUI

/// The board of a table: drawn, touched, played by keys, and spoken spot by spot; as large as it is given room.
struct BoardView: View {
    let seat: Seat
    @Environment(\.displayScale) private var pixels
    @Environment(\.accessibilityReduceMotion) private var reduceMotion
    @FocusState private var isFocused: Bool
    /// Becomes nil by itself if the system takes a finger away.
    @GestureState private var finger: CGPoint?

    // In parts, each of which the compiler checks by itself: as one expression this would be near its limit.

    var body: some View {
        if let board = seat.table.board {
            keyed(touched(board))
                .accessibilityElement(children: .contain)
                .accessibilityLabel(say(board.title))
                .accessibilityIdentifier("board")
                .onChange(of: reduceMotion, initial: true) { _, now in seat.isStill = now }
        }
    }

    private func touched(_ board: any AzxDrawing.Board) -> some View {
        GeometryReader { geometry in
            let fit = Fit(board, width: geometry.size.width, height: geometry.size.height, pixels: pixels)
            drawing(fit)
                .overlay { lens(fit, geometry) }
                .contentShape(Rectangle())
                .gesture(touch(fit))
                .onContinuousHover { hover($0, fit) }
                .accessibilityChildren { Spots(board: board, fit: fit, choose: seat.choose) }
        }
        .onChange(of: finger) { _, now in if now == nil { seat.touch(nil) } }
    }

    private func keyed(_ view: some View) -> some View {
        view
            .focusable()
            .focused($isFocused)
            .defaultFocus($isFocused, true)
            // The board draws a ring of its own around the spot that the keys have reached.
            .focusEffectDisabled()
            .onKeyPress(phases: [.down, .repeat], action: { press($0) })
            .onChange(of: isFocused) { _, now in if !now { seat.forgetKeys() } }
    }

    private func press(_ press: KeyPress) -> KeyPress.Result {
        let isAlone = press.modifiers.isDisjoint(with: [.command, .control, .option])
        return isAlone && seat.press(press.key.character) ? .handled : .ignored
    }

    private func hover(_ phase: HoverPhase, _ fit: Fit) {
        if case .active(let place) = phase { seat.touch(point(place, fit)) } else { seat.touch(nil) }
    }

    /// Drawn anew for every frame while something moves.
    private func drawing(_ fit: Fit) -> some View {
        TimelineView(.animation(minimumInterval: nil, paused: !seat.isMoving)) { timeline in
            Drawing(shapes: seat.board(at: timeline.date)?.picture(fit.scale) ?? [], fit: fit)
        }
    }

    /// The part that a finger hides, if points are small.
    @ViewBuilder private func lens(_ fit: Fit, _ geometry: GeometryProxy) -> some View {
        if let finger, let board = seat.board(at: .now),
            let lens = seat.lens(
                fit, finger: AzxDrawing.Point(finger.x, finger.y), width: geometry.size.width,
                above: geometry.frame(in: .global).minY)
        {
            Drawing(shapes: board.picture(lens.fit.scale), fit: lens.fit)
                .frame(width: 2 * Lens.radius, height: 2 * Lens.radius)
                .background(.background)
                .clipShape(Circle())
                .overlay { Circle().stroke(Color.accentColor, lineWidth: 3) }
                .position(x: lens.centre.x, y: lens.centre.y)
                .allowsHitTesting(false)
                .accessibilityHidden(true)
        }
    }

    /// A finger shows where its move would go from the moment that it is down, and plays where it is lifted.
    private func touch(_ fit: Fit) -> some Gesture {
        DragGesture(minimumDistance: 0, coordinateSpace: .local)
            .updating($finger) { value, now, _ in now = value.location }
            .onChanged { seat.touch(point($0.location, fit)) }
            .onEnded { seat.lift(at: point($0.location, fit)) }
    }

    private func point(_ place: CGPoint, _ fit: Fit) -> AzxDrawing.Point { fit.point(x: place.x, y: place.y) }
}
