import AzxEngine
import Testing

extension Go {
    /// The action that people call `label`.
    func at(_ label: String) throws -> Int {
        try #require(try (0..<actions).first { try self.label($0) == label })
    }

    func play(_ labels: String...) throws -> Go {
        try labels.reduce(self) { try $0.apply($0.at($1)) }
    }

    /// The rows of the board as they would be drawn, without empty ones at the end.
    var shown: String {
        let rows = stride(from: 0, to: cells.count, by: size).map { start in
            trim(String(cells[start..<start + size].map { Array(".XO")[Int($0)] }), ".")
        }
        return trim(rows.joined(separator: " "), " ")
    }

    private func trim(_ text: String, _ mark: Character) -> String {
        String(text.reversed().drop { $0 == mark }.reversed())
    }
}

/// The moves to a drawing in the upper left corner of a 9 by 9 board, passes included; black begins.
func moves(to drawing: String, toMove: Player = 0) -> [Int] {
    var marks = [Character](repeating: ".", count: 81)
    for (row, line) in drawing.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
        for (column, mark) in line.enumerated() { marks[9 * row + column] = mark }
    }
    let stones = ["X", "O"].map { mark in marks.indices.filter { String(marks[$0]) == mark } }
    let count = max(stones[0].count, stones[1].count)
    let moves = (0..<count).flatMap { turn in stones.map { turn < $0.count ? $0[turn] : 81 } }
    if toMove == 0 { return moves }
    // Black's last stone needs no pass behind it where white is to move.
    return moves.last == 81 ? moves.dropLast() : moves + [81]
}

/// The position after these moves.
func drawGo(_ drawing: String, toMove: Player = 0, komi: Double = Go.usualKomi) throws -> Go {
    try moves(to: drawing, toMove: toMove).reduce(try Go(size: 9, komi: komi)) { try $0.apply($1) }
}

@Suite struct GoTests {
    /// Why a stone is illegal, once `legalActions` and `apply` have agreed.
    private func why(_ state: Go, _ label: String) throws -> Refusal? {
        let action = try state.at(label)
        let reason = state.whyIllegal(action)
        #expect((reason == nil) == state.legalActions().contains(action))
        #expect((reason == nil) == ((try? state.apply(action)) != nil))
        return reason
    }

    @Test(arguments: [
        (0, "OX", "A8", ".X X", 1), (0, ".XOO ..XX", "E9", ".X..X ..XX", 2),
        (1, " ..O .OX ..O", "D7", " ..O .O.O ..O", 1), (1, "..O .OXO OX.XO .OOO", "C7", "..O .O.O O.O.O .OOO", 3),
        (1, ".OOO OXXXO OX.XO OXXXO .OOO", "C7", ".OOO O...O O.O.O O...O .OOO", 8),
        (0, ".OX OX X", "A9", "X.X .X X", 2),
    ])
    func takesOffWhatAStoneLeavesWithoutALiberty(
        toMove: Int, before: String, label: String, after: String, captured: Int
    ) throws {
        let state = try drawGo(before, toMove: toMove)
        #expect(try why(state, label) == nil)
        let next = try state.play(label)
        #expect(next.shown == after)
        #expect(state.shown == before)
        #expect(next.lastCaptured.count == captured)
        #expect(next.lastCaptured == next.lastCaptured.sorted())
        #expect(next.lastCaptured.allSatisfy { state.cells[$0] > 0 && next.cells[$0] == 0 })
        #expect([next.prisoners[toMove], next.prisoners[1 - toMove]] == [captured, 0])
    }

    @Test func forbidsSuicideOfOneStoneOrOfMany() throws {
        for (board, label) in [(".O O", "A9"), ("XXO .XO XXO OOO", "A8")] {
            #expect(try why(drawGo(board), label) == Refusal(.suicide))
            #expect(try why(drawGo(board, toMove: 1), label) == nil)
        }
        #expect(try why(drawGo(".OOO OXXXO OX.XO OXXXO .OOO"), "C7") == Refusal(.suicide))
    }

    @Test func letsASnapbackTakeMoreThanWasThrownIn() throws {
        let state = try drawGo("OX..O OXXXO .OOO", toMove: 1).play("C9", "D9")
        #expect(state.shown == "OX.XO OXXXO .OOO")
        #expect(try state.play("C9").shown == "O.O.O O...O .OOO")
    }

    @Test func forbidsToTakeAKoBackBeforeAMoveElsewhereAndSaysWhichBoardWouldComeAgain() throws {
        let before = try drawGo(".XO XO.O .XO")
        let taken = try before.play("C8")
        #expect(taken.shown == ".XO X.XO .XO")
        #expect(try why(taken, "B8") == Refusal(.superko, move: before.played))
        #expect(try why(taken.play("E5", "A1"), "B8") == nil)
    }

    @Test func endsAfterTwoPassesAndIsScoredByArea() throws {
        let walls = Array(repeating: "..XO", count: 9).joined(separator: " ")
        for (komi, result) in [(-28.0, 1), (-27, 0), (-26, -1)] {
            let state = try drawGo(walls, komi: komi)
            #expect(state.score() == -27 - komi)
            #expect(state.returns() == 0)
            let end = try state.play("pass", "pass")
            #expect(end.isTerminal)
            #expect(end.returns() == result)
        }
    }

    @Test func doesNotTakeAPassThatDrawsForOneThatLoses() throws {
        for state in [try Go(komi: 0), try Go(komi: 0).play("pass")] {
            let forced = Forced(state)
            #expect(forced.moves == state.legalActions())
            #expect(forced.result == nil)
        }
    }

    @Test func countsStonesAndWhatOnlyTheyReach() throws {
        #expect(try Go(komi: 0).score() == 0)
        #expect(try drawGo(" ..X", komi: 0).score() == 81)
        let between = try drawGo(Array(repeating: "..X.O", count: 9).joined(separator: " "), komi: 0)
        #expect(between.score() == 27 - 45)
        #expect(between.areas()[0] == (0..<27).map { $0 / 3 * 9 + $0 % 3 })
        // A white stone in black's area is alive, so that nobody has the points around it.
        let rest = Array(repeating: "..XO", count: 8).joined(separator: " ")
        #expect(try drawGo("O.XO " + rest, komi: 0).score() == 9 - 55)
    }

    @Test func callsPointsAsPeopleDo() async throws {
        let state = try Go()
        #expect(try [0, 8, 80, 81].map { try state.label($0) } == ["A9", "J9", "J1", "pass"])
        #expect(try Go(size: 19).label(18) == "T19")
        await expectRefused("go: action 82 is no point of this board, choose 0 to 81.") { try state.label(82) }
    }

    @Test func isNotPlayedOnOtherSizesOrWithAKomiThatIsNoNumber() async {
        await expectRefused("go: size 4 is not played, choose one from 5 to 19.") { try Go(size: 4) }
        for komi in [Double.nan, .infinity] {
            await expectRefused("is no number of points, choose one such as 7.5.") { try Go(komi: komi) }
        }
    }
}

/// The rules once more, as slow and plain as they are written: boards are texts, all of them are remembered.
private struct PlainGo {
    private var boards: [[Character]] = [[Character](repeating: ".", count: 81)]

    mutating func play(_ stone: Character, _ at: Int) {
        boards.append(at == 81 ? boards[boards.count - 1] : after(stone, at))
    }

    /// Why a stone is illegal; nil if it is not.
    func why(_ stone: Character, _ at: Int) -> Refusal? {
        if boards[boards.count - 1][at] != "." { return Refusal(.occupied) }
        let next = after(stone, at)
        if next[at] == "." { return Refusal(.suicide) }
        return boards.firstIndex(of: next).map { Refusal(.superko, move: $0) }
    }

    /// The board after a stone, without it where it is suicide.
    private func after(_ stone: Character, _ at: Int) -> [Character] {
        var cells = boards[boards.count - 1]
        cells[at] = stone
        for near in around(at) where cells[near] != "." && cells[near] != stone { takeDead(&cells, near) }
        takeDead(&cells, at)
        return cells
    }

    private func takeDead(_ cells: inout [Character], _ at: Int) {
        var group: Set = [at]
        var edge = [at]
        while !edge.isEmpty {
            edge = edge.flatMap(around).filter { cells[$0] == cells[at] && group.insert($0).inserted }
        }
        if group.allSatisfy({ around($0).allSatisfy { cells[$0] != "." } }) { for point in group { cells[point] = "." } }
    }

    private func around(_ at: Int) -> [Int] {
        [(-1, 0), (1, 0), (0, -1), (0, 1)].compactMap { down, right in
            let (row, column) = (at / 9 + down, at % 9 + right)
            return 0..<9 ~= row && 0..<9 ~= column ? 9 * row + column : nil
        }
    }
}

@Suite struct GoRandomTests {
    /// A game in which nobody passes who can play, held to the plain rules after captures and now and then; how many
    /// moves ago the boards were that were not to be repeated.
    private func playOut(seed: UInt64, opening: [Int]) throws -> (end: Go, repeated: [Int]) {
        var random = Stepping(state: seed)
        var plain = PlainGo()
        var state = try Go()
        var repeated: [Int] = []
        while !state.isTerminal {
            if state.played % 16 == 0 || !state.lastCaptured.isEmpty {
                let reasons = (0..<state.pass).map(state.whyIllegal)
                let stone: Character = state.toMove == 0 ? "X" : "O"
                #expect(reasons == (0..<state.pass).map { plain.why(stone, $0) })
                #expect(state.legalActions() == reasons.indices.filter { reasons[$0] == nil } + [state.pass])
                repeated += reasons.compactMap { $0?.move }.map { state.played - $0 }
            }
            let action = try state.played < opening.count ? opening[state.played] : choose(state, &random)
            plain.play(state.toMove == 0 ? "X" : "O", action)
            state = try state.apply(action)
        }
        return (state, repeated)
    }

    /// Any point, of several one that takes stones: kos are what is looked for.
    private func choose(_ state: Go, _ random: inout Stepping) throws -> Int {
        let legal = state.legalActions()
        let points = legal.count > 1 ? legal.dropLast() : legal[...]
        let tried = (0..<30).map { _ in points.randomElement(using: &random) ?? state.pass }
        return try tried.first { try !state.apply($0).lastCaptured.isEmpty } ?? tried[0]
    }

    @Test func agreesWithThePlainRulesInWholeGamesSuperkoIncluded() throws {
        // Three kos, so that boards come again after more than two moves.
        let kos = moves(to: ".XO XO.O .XO .XO X.XO .XO .XO XO.O .XO")
        let played = try (1...3).flatMap { seed in
            [try playOut(seed: UInt64(seed), opening: []), try playOut(seed: UInt64(seed), opening: kos)]
        }
        let repeated = played.flatMap(\.repeated)
        #expect(repeated.count > 10, "few games came to a superko")
        #expect(repeated.contains { $0 > 3 }, "no board of long before was repeated")
        for (end, _) in played { #expect(end.returns() == (end.score() > 0 ? 1 : -1)) }
    }
}

/// Numbers that look random and are the same in every run.
private struct Stepping: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
