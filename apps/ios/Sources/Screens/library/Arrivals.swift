import AzxBundle
import AzxDrawing
import AzxEngine
import AzxPlay
import Foundation
import Observation

/// Opens files that were dropped on the app or opened with it: bundles, exported libraries, and records of games. A record
/// leads to its board.
@MainActor
@Observable
public final class Arrivals {
    /// The result of a file: a bundle in the list, games in the library, or why it was not opened.
    public enum Told: Equatable, Sendable {
        case opened(Entry)
        case imported([Phrase.Part])
        case refused(Phrase.Part)
    }

    /// The results to tell, one after the other, until a person has read them.
    public private(set) var told: [Told] = []
    /// A bundle that has come, and could go on with the game on the board; nil if none has.
    public private(set) var offer: Installed?
    /// The board that is seen, while there is one.
    @ObservationIgnored public weak var room: Room?
    /// Whether files are being opened.
    public private(set) var isOpening = false
    /// Increases with each bundle or import, so that lists are read again.
    public private(set) var count = 0
    /// What opens bundles, for the screen that lists them too: one after the other.
    @ObservationIgnored public let bundles: BundleOpener
    /// Ends once all files that have come are opened.
    @ObservationIgnored private var last: Task<Void, Never>?
    @ObservationIgnored private let store: Store
    @ObservationIgnored private let given: GivenBundles
    @ObservationIgnored private let library: Library

    public init(_ store: Store, _ given: GivenBundles, keeping kept: any Keeping, in library: Library) {
        (self.store, self.given, self.library) = (store, given, library)
        bundles = BundleOpener(store, given, keeping: kept)
    }

    /// Open files, one after the other, once those that came before are. Gives the board of the last record among them; nil
    /// without one.
    public func open(_ files: [URL]) async -> Place? {
        let before = last
        let opening = Task {
            await before?.value
            return await openNext(files)
        }
        last = Task { _ = await opening.value }
        return await opening.value
    }

    private func openNext(_ files: [URL]) async -> Place? {
        (isOpening, offer) = (true, nil)
        var place: Place?
        for file in files {
            switch await kind(of: file) {
            case .bundle: await openBundle(file)
            case .games: await takeGames(file)
            case .record(let text): place = await openRecord(text, file) ?? place
            case .neither: refuse(file)
            }
        }
        isOpening = false
        return place
    }

    /// The title above the results.
    public var title: Phrase {
        let isRefused = told.allSatisfy { if case .refused = $0 { true } else { false } }
        let hasOpened = told.contains { if case .opened = $0 { true } else { false } }
        return Phrase(isRefused ? "cannot_open" : hasOpened ? "open_bundle" : "library")
    }

    /// The results were read.
    public func forget() { told = [] }

    private func openBundle(_ file: URL) async {
        await bundles.open(file)
        if let complaint = bundles.complaint { told.append(.refused(complaint)) }
        if let entry = bundles.opened {
            count += 1
            let bundle = Installed(entry, given.store, isGiven: true)
            if await room?.canGoOn(with: bundle) ?? false { offer = bundle } else { told.append(.opened(entry)) }
        }
    }

    private func takeGames(_ file: URL) async {
        do {
            told.append(.imported(sentences(try await library.take(file))))
            count += 1
        } catch {
            told.append(.refused(describe(error, otherwise: "error_ask")))
        }
    }

    /// Accept the offer, and return its board; nil if the board is not seen any more.
    public func take() -> Place? {
        guard let bundle = offer else { return nil }
        offer = nil
        return room?.goOn(with: bundle)
    }

    /// The game goes on as it was; the bundle is in the list.
    public func decline() { offer = nil }

    private func openRecord(_ text: String, _ file: URL) async -> Place? {
        let opener = RecordOpener()
        opener.text = text
        await opener.open(store, given, in: library)
        if let found = opener.found { return .board(found.bundle, game: found.id) }
        // A text of something else: the sentence about bad records would not help.
        let isOther = opener.complaint == describe(RecordError(.none)) && !isSgf(file)
        if isOther { refuse(file) } else { told += opener.complaint.map { [.refused($0)] } ?? [] }
        return nil
    }

    private func refuse(_ file: URL) {
        told.append(.refused(.words("given_neither", .text(file.lastPathComponent))))
    }
}

/// What a file is to be opened as.
private enum Kind: Sendable {
    case bundle, games, neither
    case record(String)
}

/// What a file is, by its name and its first bytes, away from the main actor.
private nonisolated func kind(of file: URL) async -> Kind {
    if isExport(file) { return .games }
    if looksLikeBundle(file) { return .bundle }
    guard let data = try? Data(contentsOf: file, options: .mappedIfSafe) else { return .neither }
    if isSgf(file) { return .record(text(of: data) ?? "") }
    // A longer text is not read.
    guard data.count <= RecordLimits.bytes, let text = text(of: data) else { return .neither }
    return .record(text)
}

private nonisolated func isSgf(_ file: URL) -> Bool { file.pathExtension.lowercased() == "sgf" }

/// A copy of a dropped file or folder, in a folder of its own, until it is opened: the original is gone soon.
public struct FileCopy: Sendable {
    public let url: URL

    public init(_ original: URL) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "dropped-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appending(path: original.lastPathComponent)
        try FileManager.default.copyItem(at: original, to: url)
    }

    public func remove() { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
}
