import AzxBundle
import AzxCoreML
import AzxNetwork
import AzxPlay
import AzxScreens
import Foundation
import Testing

@testable import AzxApp

/// Nothing is remembered.
private final class Nothing: Keeping {
    func text(_: String) -> String? { nil }
    func keep(_: String, _: String) {}
    func forget(_: String) {}
}

/// The app as Xcode has built it, in which these tests run: Bundle.main is the app's.
@Suite(.serialized, .timeLimit(.minutes(10))) struct InstalledTests {
    private static let store = Store(Bundle.main.bundleURL.appending(path: Store.folder))
    private static let entries = (try? readIndex(store)) ?? []

    @Test func bundlesWereInstalledBeforeTheAppWasBuilt() throws {
        #expect(try !readIndex(Self.store).isEmpty, "make ios installs them")
    }

    @Test(arguments: entries) func everyFileArrivedByteForByte(entry: Entry) throws {
        #expect(!entry.files.isEmpty)
        let folder = Bundle.main.bundleURL.appending(path: Store.folder).appending(path: entry.name)
        for file in entry.files {
            let bytes = try Data(contentsOf: folder.appending(path: file.path))
            #expect(FileEntry(path: file.path, sha256: sha256(bytes), size: bytes.count) == file)
        }
    }

    /// Compiled on the device, loaded, and asked for every recorded position, on each unit that the device offers.
    @Test(arguments: entries, CoreMLEvaluator.offered)
    func everyNetworkAnswersAsGoldenJsonSays(entry: Entry, units: Units) async throws {
        let bundle = try GameBundle(entry, Self.store)
        let found = try await compare(bundle.golden(), bundle.manifest, loadCoreML(bundle, units))
        #expect(found.passed, "\(entry.name) on \(units): \(found)")
    }

    @MainActor @Test(arguments: entries) func everyGameOpens(entry: Entry) async {
        let room = Room(keeping: Nothing())
        await room.open(Installed(entry, Self.store), on: .cpu, loadCoreML)
        #expect(room.failure == nil)
        #expect(room.runtime != nil && room.bundle != nil)
    }

    @MainActor @Test func textsAreThereInBothLanguages() {
        #expect(say("games") != "games")
        #expect(Set(Bundle.main.localizations).isSuperset(of: ["en", "zh-Hans"]))
    }

    /// At once, and with that language's plurals.
    @MainActor @Test func theLanguageIsTheOneThatIsChosenInTheApp() {
        let before = appSettings.preferences
        defer { appSettings.preferences = before }
        appSettings.preferences.language = .english
        #expect(say("games") == "Games")
        #expect([1, 3].map { say("strength_seconds", $0) } == ["1 second", "3 seconds"])
        appSettings.preferences.language = .chinese
        #expect(say("games") != "Games")
        #expect(say("strength_seconds", 3) == "3 秒")
    }
}
