/// What a person prefers for the whole app.

/// The colours of the app: those that the system has chosen, or always the same.
public enum Theme: String, CaseIterable, Sendable {
    case system = "SYSTEM"
    case light = "LIGHT"
    case dark = "DARK"
}

/// The language of the app: the one that the system has chosen, or always the same.
public enum Language: String, CaseIterable, Sendable {
    case system = "SYSTEM"
    case english = "ENGLISH"
    case chinese = "CHINESE"

    /// As the catalog calls it; nil if the system chooses.
    public var tag: String? {
        switch self {
        case .system: nil
        case .english: "en"
        case .chinese: "zh-Hans"
        }
    }
}

/// `hasSound`: whether moves and the end of a game are heard.
public struct Preferences: Equatable, Sendable {
    public var theme = Theme.system
    public var language = Language.system
    public var hasSound = false
}

extension Preferences {
    /// What is remembered, with the usual choice for what is missing or unknown.
    @MainActor public init(_ kept: any Keeping) {
        self.init(
            theme: kept.choice("app theme", usual: .system), language: kept.choice("app language", usual: .system),
            hasSound: kept.choice("app sound", usual: false))
    }

    @MainActor public func keep(_ kept: any Keeping) {
        kept.keep(theme.rawValue, "app theme")
        kept.keep(language.rawValue, "app language")
        kept.keep("\(hasSound)", "app sound")
    }
}
