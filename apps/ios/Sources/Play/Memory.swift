import Foundation

/// Texts that outlive the process, by name.
public protocol Keeping: AnyObject {
    func text(_ name: String) -> String?
    func keep(_ text: String, _ name: String)
}

extension UserDefaults: Keeping {
    public func text(_ name: String) -> String? { string(forKey: name) }
    public func keep(_ text: String, _ name: String) { set(text, forKey: name) }
}

/// What is remembered of a bundle: its last game, as the text of a SavedGame, and the choices made for it.
@MainActor
public struct Memory {
    private let kept: any Keeping
    private let bundle: String

    public init(_ kept: any Keeping, bundle: String) {
        self.kept = kept
        self.bundle = bundle
    }

    /// The last game; nil where there is none.
    public var game: String? {
        get { kept.text("\(bundle) game") }
        nonmutating set { if let newValue { kept.keep(newValue, "\(bundle) game") } }
    }

    /// The choices, with the usual ones for what is missing or unknown.
    public var choices: Choices {
        get {
            let usual = Choices()
            return Choices(
                strength: kept.text("\(bundle) strength").flatMap(Strength.init(rawValue:)) ?? usual.strength,
                begins: kept.text("\(bundle) begins").flatMap(Begins.init(rawValue:)) ?? usual.begins,
                isRenju: kept.text("\(bundle) renju").flatMap { Bool($0) } ?? usual.isRenju,
                alwaysHeat: kept.text("\(bundle) heat").flatMap { Bool($0) } ?? usual.alwaysHeat,
                pace: kept.text("\(bundle) pace").flatMap(Pace.init(rawValue:)) ?? usual.pace)
        }
        nonmutating set {
            kept.keep(newValue.strength.rawValue, "\(bundle) strength")
            kept.keep(newValue.begins.rawValue, "\(bundle) begins")
            kept.keep("\(newValue.isRenju)", "\(bundle) renju")
            kept.keep("\(newValue.alwaysHeat)", "\(bundle) heat")
            kept.keep(newValue.pace.rawValue, "\(bundle) pace")
        }
    }
}
