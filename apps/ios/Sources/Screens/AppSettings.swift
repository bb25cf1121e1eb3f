import AzxDrawing
import AzxPlay
import Observation

/// The settings of the whole app: colours, language, sounds. A change takes effect at once.
@MainActor
@Observable
public final class AppSettings {
    public var preferences: Preferences {
        didSet { preferences.keep(kept) }
    }
    @ObservationIgnored private let kept: any Keeping

    public init(keeping kept: any Keeping) {
        self.kept = kept
        preferences = Preferences(kept)
    }
}

extension Theme {
    public var phrase: Phrase { Phrase("theme_\(rawValue.lowercased())") }

    /// Whether it is dark; nil if the system decides.
    public var isDark: Bool? { self == .system ? nil : self == .dark }
}

extension Language {
    public var phrase: Phrase { Phrase("language_\(rawValue.lowercased())") }
}
