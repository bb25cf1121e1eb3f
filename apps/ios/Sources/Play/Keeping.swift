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
    /// Keep a text, or forget the old one if it is nil.
    func keepIfAny(_ text: String?, _ name: String) {
        if let text { keep(text, name) } else { forget(name) }
    }

    /// The saved choice; the `usual` one if none was saved, or an unknown one.
    func choice<Choice: RawRepresentable<String>>(_ name: String, usual: Choice) -> Choice {
        text(name).flatMap(Choice.init(rawValue:)) ?? usual
    }

    func choice(_ name: String, usual: Bool) -> Bool { text(name).flatMap { Bool($0) } ?? usual }
}
