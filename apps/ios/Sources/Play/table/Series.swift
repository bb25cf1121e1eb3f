import AzxEngine
import Observation

/// A series of games between two networks: each is a game of the table like any other, and an entry of the library.
@MainActor
@Observable
public final class Series {
    public let sides: [GameRecord.Side]
    public private(set) var tally = Tally()
    /// Whether a game is played that the tally does not have yet.
    public private(set) var isPlaying = false
    public private(set) var isOver = false
    @ObservationIgnored private let rounds: [Round]
    /// Those that were chosen for all of its games.
    @ObservationIgnored private let settings: Settings
    @ObservationIgnored private var openings: [Int: Session] = [:]
    @ObservationIgnored private var known: Set<[Int]> = []
    /// The game of the table that is its own: at first the one that was there before; and which one of the series it is.
    @ObservationIgnored private var id: String
    @ObservationIgnored private var round: Round?
    @ObservationIgnored private weak var table: Table?
    @ObservationIgnored private(set) var task: Task<Void, Never>?

    // How long the end of a game is looked at, as often as a move of it; and how long who is not there is waited for, again
    // and again.
    private static let looks = 3.0
    private static let seconds = 0.25

    init(_ table: Table, _ sides: [GameRecord.Side], count: Int, settings: Settings) {
        (self.table, self.sides, self.settings, rounds) = (table, sides, settings, Round.all(count))
        id = table.identity.id
    }

    /// How many games were planned.
    public var count: Int { rounds.count }

    /// What each player of the game on the board has won until now; nil of a game alone.
    var wins: [Int]? { count > 1 ? round.map { tally.byPlayer($0) } : nil }

    /// Lay out the first game.
    func begin() { task = Task { await next() } }

    /// The game on the board has changed: it may be over, or another one.
    func look() {
        guard let table, table.series === self else { return }
        if table.identity.id != id { return leave() }
        if isPlaying, table.session.phase == .over { task = Task { await count() } }
    }

    /// End with what was played until now: the game that is under way stays as it is, and is not counted.
    public func stop() {
        isOver = true
        if isPlaying { table?.pause(true) }
        isPlaying = false
    }

    /// The board is another game's: nothing is said of the series any more.
    func leave() {
        (isOver, isPlaying) = (true, false)
        if table?.series === self { table?.series = nil }
    }

    private func count() async {
        guard isPlaying, let round else { return }
        isPlaying = false
        tally.count(round, winner: table?.session.winner)
        isOver = tally.played == rounds.count
        if isOver { return }
        if let table { await table.rest(Self.looks * table.choices.pace.seconds) }
        await waitForSomebody()
        await next()
    }

    /// Who looks back at the game, or is not there, is waited for. Nobody keeps the table alive by that: where it is gone
    /// for good there is nothing to wait for.
    private func waitForSomebody() async {
        while !isOver, let table, table.isReplay || !table.isSeen { await table.rest(Self.seconds) }
    }

    /// Lay out the next game, its opening played, and let it go.
    private func next() async {
        if isOver { return }
        let round = rounds[tally.played]
        let opening = await catchError { try await self.opening(round) }
        await waitForSomebody()
        // A person may have stopped it meanwhile, or gone elsewhere.
        guard !isOver, let table else { return }
        if table.series !== self || table.identity.id != id { return leave() }
        switch opening {
        case .success(let session): lay(table, round, session)
        case .failure(let error):
            stop()
            table.fail(error)
        }
    }

    private func lay(_ table: Table, _ round: Round, _ session: Session) {
        var identity = Identity(.watched)
        identity.sides = players(round)
        (id, self.round, isPlaying) = (identity.id, round, true)
        table.lay(Kept(session, settings: settings, identity))
    }

    /// The opening of a round, as the networks would play it: drawn for the first of two games, and there for the other.
    private func opening(_ round: Round) async throws -> Session {
        guard let opened = table?.opened else { throw CancellationError() }
        let begun = try opened.reading.start(settings)
        guard let number = round.opening else { return Session(begun, human: nobody) }
        if let there = openings[number] { return there }
        let (players, settings) = (players(round), settings)
        var known = known
        let drawn = try await drawOpening(begun, openingMoves(opened.reading.game.name), { session in
            let thinker = try await opened.seat(players[session.latest.toMove])
            return try await thinker.advise(settings, session.actions).policy
        }, known: &known)
        self.known = known
        openings[number] = drawn
        return drawn
    }

    private func players(_ round: Round) -> [GameRecord.Side] { [0, 1].map { sides[round.side($0)] } }
}

extension Table {
    /// Begin a game of two networks, or a series of so many, by what was chosen else.
    public func begin(_ sides: [GameRecord.Side], count: Int, _ chosen: Choices) {
        remember(chosen)
        series?.leave()
        let begun = Series(self, sides, count: count, settings: chosen.settings(opened.reading))
        series = begun
        begun.begin()
    }

    /// Who played whom last on this board, where networks did.
    public var seriesChoice: SeriesChoice? {
        get { opened.memory.series }
        set { opened.memory.series = newValue }
    }

    /// Who play against each other; nil but of a game between networks that were chosen for each side.
    public var sides: [GameRecord.Side]? { session.isWatched ? identity.sides : nil }

    /// How many games of a series each player of this one has won; nil outside of a series.
    public var wins: [Int]? { series?.wins }
}
