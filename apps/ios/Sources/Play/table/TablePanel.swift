import AzxEngine

/// The one value from which a screen draws what it says of the shown position.
extension Table {
    public var panel: Panel {
        let shown = displayed
        var facts = shown.facts(Findings(found: found, points: points, lead: lead, network: advised, thinking: thinking))
        facts.played = isReplay && line == nil && retry == nil ? shown.judged.map(\.played) : nil
        facts.moment = moment
        return Panel(facts)
    }

    /// The panel of the game's own position, whatever line is tried out from it.
    public var panelOfGame: Panel { line == nil ? panel : Panel(session.facts()) }

    /// What the network thinks of the last position while a person waits for it.
    private var thinking: Progress? {
        isThinking && session.hasPerson && isAtEnd && heardAt == session.moves ? progress : nil
    }

    /// Whether the last position of the game is shown.
    public var isAtEnd: Bool { line == nil && session.isAtEnd }

    /// Player 0's lead in Go if the board shows one: without the dead stones, or as random games estimate it.
    private var lead: PanelFacts.Lead? {
        guard isAtEnd, let state = session.latest as? Go else { return nil }
        if session.phase == .scoring { return dead.map { PanelFacts.Lead(mean: state.score(without: $0), spread: 0) } }
        guard case .estimated(let estimate) = notice else { return nil }
        return PanelFacts.Lead(mean: estimate.score, spread: estimate.spread)
    }

    private var moment: PanelFacts.Moment {
        var moment = PanelFacts.Moment(session.phase)
        moment.isReplay = isReplay
        moment.isBusy = isAnalysing || isHinting
        moment.isStuck = failure != nil
        (moment.isWatched, moment.isPaused) = (session.isWatched, isPaused)
        moment.isTrying = isTrying
        (moment.canReview, moment.isReviewed) = (canReview, session.isAnalysed)
        moment.hasMistakes = isReplay && hasMistakes
        return moment
    }

    /// Whether an analysis has found a mistake or a blunder.
    public var hasMistakes: Bool { session.review.nextMistake(after: 0) != nil }

    /// Whether the network has a value, without which no move can be judged.
    public var canReview: Bool { opened.thinker.hasValue }
}

extension JudgedMove {
    var played: PanelFacts.PlayedMove { PanelFacts.PlayedMove(action, by: player, verdict, reason, better: better) }
}
