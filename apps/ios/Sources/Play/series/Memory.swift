import Foundation

/// What is remembered of a bundle: the choices made for it.
@MainActor
public struct Memory {
    private let kept: any Keeping
    private let bundle: String

    public init(_ kept: any Keeping, bundle: String) {
        self.kept = kept
        self.bundle = bundle
    }

    /// The last game as the text of a SavedGame, from a time before the library; nil if there is none.
    var game: String? { kept.text("\(bundle) game") }

    func forgetGame() { kept.forget("\(bundle) game") }

    /// The choices, with the usual ones for what is missing or unknown.
    public var choices: Choices {
        get {
            let usual = Choices()
            return Choices(
                strength: kept.choice("\(bundle) strength", usual: usual.strength),
                begins: kept.choice("\(bundle) begins", usual: usual.begins),
                isOtherRule: kept.text("\(bundle) rule").flatMap { Bool($0) },
                komi: kept.text("\(bundle) komi").flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil },
                alwaysHeat: kept.choice("\(bundle) heat", usual: usual.alwaysHeat),
                pace: kept.choice("\(bundle) pace", usual: usual.pace))
        }
        nonmutating set {
            kept.keep(newValue.strength.rawValue, "\(bundle) strength")
            kept.keep(newValue.begins.rawValue, "\(bundle) begins")
            kept.keepIfAny(newValue.isOtherRule.map { "\($0)" }, "\(bundle) rule")
            kept.keepIfAny(newValue.komi.map { "\($0)" }, "\(bundle) komi")
            kept.keep("\(newValue.alwaysHeat)", "\(bundle) heat")
            kept.keep(newValue.pace.rawValue, "\(bundle) pace")
        }
    }

    /// The name of the reading that a person has chosen because the network's own is only assumed; nil for the assumed one.
    public var reading: String? {
        get { kept.text("\(bundle) reading") }
        nonmutating set { kept.keepIfAny(newValue, "\(bundle) reading") }
    }

    /// Who played whom last in a game between networks; nil if none was played.
    var series: SeriesChoice? {
        get {
            guard let lines = kept.text("\(bundle) series")?.split(separator: "\n").map(String.init), lines.count == 5,
                let count = Int(lines[4]), Round.counts.contains(count)
            else { return nil }
            let strengths = lines[2...3].compactMap(Strength.init(rawValue:))
            return strengths.count == 2 ? SeriesChoice(bundles: Array(lines[..<2]), strengths: strengths, count: count) : nil
        }
        nonmutating set {
            guard let newValue else { return kept.forget("\(bundle) series") }
            let lines = newValue.bundles + newValue.strengths.map(\.rawValue) + ["\(newValue.count)"]
            kept.keep(lines.joined(separator: "\n"), "\(bundle) series")
        }
    }

    /// Nothing of the bundle is remembered any more.
    public func forget() {
        for what in ["strength", "begins", "rule", "komi", "heat", "pace", "series", "reading"] { kept.forget("\(bundle) \(what)") }
    }
}
