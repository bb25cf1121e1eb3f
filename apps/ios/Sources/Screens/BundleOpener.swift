import AzxBundle
import AzxDrawing
import AzxPlay
import Foundation
import Observation

/// Opens and removes a person's own bundles. It has the saved ones, the progress of a check, and what was wrong with the last.
@MainActor
@Observable
public final class BundleOpener {
    /// A saved bundle.
    public struct Own: Identifiable, Sendable {
        public let entry: Entry
        /// Its size in MB, in tenths.
        public let size: String

        public var id: String { entry.name }
    }

    public private(set) var own: [Own] = []
    public private(set) var isChecking = false
    /// Why the last one was not opened, or not removed; nil if nothing was wrong.
    public private(set) var complaint: Phrase.Part?
    /// The one that was opened last.
    public private(set) var opened: Entry?
    /// The one whose removal a person is asked about.
    public var asked: Own?
    @ObservationIgnored private let store: Store
    @ObservationIgnored private let given: GivenBundles
    @ObservationIgnored private let kept: any Keeping

    /// `store` has the bundles that were installed with the app.
    public init(_ store: Store, _ given: GivenBundles, keeping kept: any Keeping) {
        (self.store, self.given, self.kept) = (store, given, kept)
    }

    /// Check the folder or the .zip at `url` and save it; nothing happens while another one is checked.
    public func open(_ url: URL) async {
        if isChecking { return }
        (isChecking, complaint, opened) = (true, nil, nil)
        let note = OpeningNote(kept)
        note.leave()
        do {
            opened = try await away { [store, given] in try keep(url, store, given) }
        } catch {
            complaint = describe(error, otherwise: "error_ask")
        }
        note.remove()
        await list()
        isChecking = false
    }

    /// Remove the bundle that was asked about, and its game with it.
    public func remove() async {
        guard let entry = asked?.entry else { return }
        (asked, complaint, opened) = (nil, nil, nil)
        do {
            try await away { [given] in try given.remove(entry.name) }
            Memory(kept, bundle: entry.name).forget()
        } catch {
            complaint = describe(error, otherwise: "error_ask")
        }
        await list()
    }

    /// A bundle could not be chosen at all.
    public func refuse(_ error: any Error) {
        complaint = .text(error.localizedDescription)
    }

    /// The screen opens: forget the last result, and read the list.
    public func look() async {
        if !isChecking { (complaint, opened) = (nil, nil) }
        await list()
    }

    /// Read the list of saved bundles.
    public func list() async {
        let entries = await away { [store, given] in given.entries(besides: installedNames(store)) }
        own = entries.map { entry in
            Own(entry: entry, size: megabytes(entry.files.reduce(0) { $0 + $1.size }))
        }
    }
}

/// A note that a bundle is being opened: if it is still there at the next start, the app was ended meanwhile.
@MainActor
public struct OpeningNote {
    private static let name = "opening"
    private let kept: any Keeping

    public init(_ kept: any Keeping) { self.kept = kept }

    public var isLeft: Bool { kept.text(Self.name) != nil }

    func leave() { kept.keep("", Self.name) }

    /// The opening has ended, or a person was told that it did not.
    public func remove() { kept.forget(Self.name) }
}

/// Check a bundle, which may have hundreds of megabytes, and keep it.
private nonisolated func keep(_ url: URL, _ store: Store, _ given: GivenBundles) throws -> Entry {
    let installed = installedNames(store)
    let taken = try take(url, besides: installed + given.entries(besides: installed).map(\.name))
    try given.keep(taken)
    return taken.entry
}

private nonisolated func installedNames(_ store: Store) -> [String] { ((try? readIndex(store)) ?? []).map(\.name) }
