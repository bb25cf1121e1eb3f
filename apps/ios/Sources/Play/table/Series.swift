import AzxEngine
import Observation

/// A series of games between two networks. Each game is played at the table and kept in the library.
@MainActor
@Observable
public final class Series {
    public let sides: [GameRecord.Side]
    public private(set) var tally = Tally()
    /// Whether a game is under way that the tally does not count yet.
    public private(set) var isPlaying = false
    public private(set) var isOver = false
    @ObservationIgnored private let rounds: [Round]
    /// The settings of all its games.
    @ObservationIgnored private let settings: Settings
    @ObservationIgnored private var openings: [Int: Session] = [:]
    @ObservationIgnored private var known: Set<[Int]> = []
    /// The game on the table that belongs to the series (before the first one, the game that was there), and its round.
    @ObservationIgnored private var id: String
    @ObservationIgnored private var round: Round?
    @ObservationIgnored private weak var table: Table?
    @ObservationIgnored private(set) var task: Task<Void, Never>?

    // How long the end of a game is shown, in times of a move's pace; and the seconds between two looks whether somebody is there.
    private static let looks = 3.0
    private static let seconds = 0.25

    init(_ table: Table, _ sides: [GameRecord.Side], count: Int, settings: Settings) {
        (self.table, self.sides, self.settings, rounds) = (table, sides, settings, Round.all(count))
        id = table.identity.id
    }

    /// The number of planned games.
    public var count: Int { rounds.count }

    /// The wins of each player of the game on the board; nil for a single game.
    var wins: [Int]? { count > 1 ? round.map { tally.byPlayer($0) } : nil }

    /// Lay out the first game.
    func begin() { task = Task { await next() } }

    /// React to a change on the board: the game may be over, or another one.
    func look() {
        guard let table, table.series === self else { return }
        if table.identity.id != id { return leave() }
        if isPlaying, table.session.phase == .over { task = Task { await count() } }
    }

    /// Stop the series. The game under way stays as it is, and does not count.
    public func stop() {
        isOver = true
        if isPlaying { table?.pause(true) }
        isPlaying = false
    }

    /// Leave the board to another game; the screen shows nothing of the series any more.
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

    /// Wait for a person who looks back at the game, or is away. Waiting does not keep the table alive.
    private func waitForSomebody() async {
        while !isOver, let table, table.isReplay || !table.isSeen { await table.rest(Self.seconds) }
    }

    /// Lay out the next game, its opening played, and let it go.
    private func next() async {
        if isOver { return }
        let round = rounds[tally.played]
        let opening = await catchError { try await self.opening(round) }
        await waitForSomebody()
        // A person may have stopped the series meanwhile, or begun another game.
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

    /// The opening of a round, as the networks would play it: drawn for the first of two games, and used again for the second.
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
    /// Begin a series of `count` games of two networks, or one game, with the other choices.
    public func begin(_ sides: [GameRecord.Side], count: Int, _ chosen: Choices) {
        remember(chosen)
        series?.leave()
        let begun = Series(self, sides, count: count, settings: chosen.settings(opened.reading))
        series = begun
        begun.begin()
    }

    /// The two networks that a person chose last on this board; nil if none.
    public var seriesChoice: SeriesChoice? {
        get { opened.memory.series }
        set { opened.memory.series = newValue }
    }

    /// The two sides of a game between chosen networks; nil in any other game.
    public var sides: [GameRecord.Side]? { session.isWatched ? identity.sides : nil }

    /// The wins of each player in the series; nil outside of one.
    public var wins: [Int]? { series?.wins }
}
