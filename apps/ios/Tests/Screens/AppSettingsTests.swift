import AzxBundle
import AzxEngine
import Foundation
import Observation
import Support
import Testing

@testable import AzxPlay
@testable import AzxScreens

/// Whether something was heard.
private final class Told: @unchecked Sendable {
    private let lock = NSLock()
    private var isTold = false

    var value: Bool { lock.withLock { isTold } }
    func tell() { lock.withLock { isTold = true } }
}

@MainActor @Suite struct AppSettingsTests {
    private let notebook = Notebook()

    @Test func theSystemChoosesAndNothingIsHeardAtFirst() {
        let settings = AppSettings(keeping: notebook)
        #expect(settings.preferences == Preferences(theme: .system, language: .system, hasSound: false))
        #expect(Theme.allCases.map(\.isDark) == [nil, false, true])
        #expect(Language.allCases.map(\.tag) == [nil, "en", "zh-Hans"])
    }

    @Test func aChoiceIsRememberedAndToldAtOnce() {
        let settings = AppSettings(keeping: notebook)
        let told = Told()
        withObservationTracking {
            _ = settings.preferences.language
        } onChange: {
            told.tell()
        }
        settings.preferences = Preferences(theme: .dark, language: .chinese, hasSound: true)
        #expect(told.value)
        #expect(AppSettings(keeping: notebook).preferences == settings.preferences)
        notebook.keep("KLINGON", "app language")
        #expect(AppSettings(keeping: notebook).preferences.language == .system)
    }

    @Test func everyChoiceHasItsWords() {
        let phrases = Theme.allCases.map(\.phrase) + Language.allCases.map(\.phrase) + Pace.allCases.map(\.phrase)
        for catalog in [Catalog.english, .chinese] {
            #expect(phrases.allSatisfy { !catalog.say($0).contains("no text") })
        }
    }

    /// Another language says the same phrases: a game under way goes on where it is.
    @Test func whatIsShownOfAGameIsNotOfOneLanguage() throws {
        let reading = try GameBundle(
            Fixtures.entry(Fixtures.bundles.appending(path: "tictactoe")), Store(Fixtures.bundles)).reading
        let memory = Memory(notebook, bundle: "tictactoe")
        memory.choices = Choices(strength: .policy, begins: .you)
        let thinker = Thinker(reading, HashEvaluator(), hasValue: true)
        let seat = Seat(try Table(Opened(reading, thinker, memory)), Presentation("tictactoe"))
        seat.choose(4)
        #expect(seat.heard?.tone == .place)
        let heard = seat.news.said
        #expect(Catalog.english.say(heard) != Catalog.chinese.say(heard))
        #expect(seat.table.session.moves == 1)
        seat.table.leave()
    }
}
