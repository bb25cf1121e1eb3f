import AzxEngine
import AzxPlay

/// The one primary button of a table: the next sensible act.
public struct PrimaryButton: Equatable, Sendable {
    public let act: Panel.Act
    public let title: Phrase
}

extension Seat {
    /// The primary button; nil while the next act is a move on the board, or to wait.
    public var primary: PrimaryButton? {
        let act = table.panel.act
        let key: String? =
            switch act {
            case .play, .wait, .askAgain: nil
            case .stop: "stop"
            case .pause: "pause"
            case .resume: "watch_on"
            case .agree: "agree"
            case .analyse: "analyse"
            case .nextMistake: "next_mistake"
            case .tryAgain: "retry"
            case .toGame: "to_game"
            case .playOn: table.canPlayFromHere ? "play_from_here" : "mode_play"
            case .review: "review"
            case .rematch: "rematch"
            }
        return key.map { PrimaryButton(act: act, title: Phrase($0)) }
    }

    /// Perform the act of the primary button.
    public func perform(_ act: Panel.Act) {
        switch act {
        case .play, .wait, .askAgain: break
        case .stop: table.stop()
        case .pause: table.pause(true)
        case .resume: table.pause(false)
        case .agree: table.agree()
        case .analyse: table.analyse()
        case .nextMistake: table.showNextMistake()
        case .tryAgain: table.tryAgain()
        case .toGame: table.toGame()
        case .playOn: if table.canPlayFromHere { table.playFromHere() } else { table.replay(false) }
        case .review: lookAgain()
        case .rematch: table.restart()
        }
    }
}
