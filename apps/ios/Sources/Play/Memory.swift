import Foundation

/// Texts that outlive the process, by name.
public protocol Keeping: AnyObject {
    func text(_ name: String) -> String?
    func keep(_ text: String, _ name: String)
    func forget(_ name: String)
}

extension UserDefaults: Keeping {
    public func text(_ name: String) -> String? { string(forKey: name) }
    public func keep(_ text: String, _ name: String) { set(text, forKey: name) }
    public func forget(_ name: String) { removeObject(forKey: name) }
}

extension Keeping {
    /// The choice that was kept; the `usual` one where none was, or one that this app does not know.
    func choice<Choice: RawRepresentable<String>>(_ name: String, usual: Choice) -> Choice {
        text(name).flatMap(Choice.init(rawValue:)) ?? usual
    }

    func choice(_ name: String, usual: Bool) -> Bool { text(name).flatMap { Bool($0) } ?? usual }
}

/// What is remembered of a bundle: the choices made for it.
@MainActor
public struct Memory {
    private let kept: any Keeping
    private let bundle: String

    public init(_ kept: any Keeping, bundle: String) {
        self.kept = kept
        self.bundle = bundle
    }

    /// The last game, as the text of a SavedGame, of this app before it had a library; nil where there is none.
    var game: String? { kept.text("\(bundle) game") }

    func forgetGame() { kept.forget("\(bundle) game") }

    /// The choices, with the usual ones for what is missing or unknown.
    public var choices: Choices {
        get {
            let usual = Choices()
            return Choices(
                strength: kept.choice("\(bundle) strength", usual: usual.strength),
                begins: kept.choice("\(bundle) begins", usual: usual.begins),
                isRenju: kept.choice("\(bundle) renju", usual: usual.isRenju),
                alwaysHeat: kept.choice("\(bundle) heat", usual: usual.alwaysHeat),
                pace: kept.choice("\(bundle) pace", usual: usual.pace))
        }
        nonmutating set {
            kept.keep(newValue.strength.rawValue, "\(bundle) strength")
            kept.keep(newValue.begins.rawValue, "\(bundle) begins")
            kept.keep("\(newValue.isRenju)", "\(bundle) renju")
            kept.keep("\(newValue.alwaysHeat)", "\(bundle) heat")
            kept.keep(newValue.pace.rawValue, "\(bundle) pace")
        }
    }

    /// Nothing of the bundle is remembered any more.
    public func forget() {
        for what in ["strength", "begins", "renju", "heat", "pace"] { kept.forget("\(bundle) \(what)") }
    }
}
