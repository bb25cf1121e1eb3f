import AzxEngine
import Foundation
import Observation

/// All games that were played, watched or opened here. Only a person removes one.
///
/// A change holds at once, and is on the disk soon: tasks away from the main actor read and write it, one after the other. A
/// failed write is tried again with the next change. If another window or process has changed an entry meanwhile, both
/// versions are kept: one that does not continue the other becomes an entry of its own.
@MainActor
@Observable
public final class Library {
    /// Why games are kept only while the app runs.
    public enum Trouble: Sendable { case full, refused }

    /// All of them, the one that was changed last first.
    public private(set) var list: [GameRecord] = []
    /// Whether the disk was read; before that the list may only seem empty.
    public private(set) var isRead = false
    /// How many files of the folder hold no game that can be read.
    public private(set) var damaged = 0
    /// nil if everything is on the disk, or being written.
    public private(set) var trouble: Trouble?
    @ObservationIgnored private let files: GameFiles
    @ObservationIgnored private var reading: Task<Void, Never>?
    /// The records to be written, and the task that the next one waits for.
    @ObservationIgnored private var unwritten: Set<String> = []
    @ObservationIgnored private var queue: Task<Void, Never>?
    /// The revision of each entry that was read from the disk or written there last.
    @ObservationIgnored private var known: [String: String] = [:]
    /// By the revision of a change that was put under another name: the names before and after.
    @ObservationIgnored private var branches: [String: (old: String, new: String)] = [:]

    public init(_ files: GameFiles) { self.files = files }

    /// Read what was saved before; once, at the first call.
    public func open() async {
        let task = reading ?? Task { await readAll() }
        reading = task
        await task.value
    }

    private func readAll() async {
        let (found, damaged) = await files.read()
        // What was played meanwhile is newer.
        let newer = Set(list.map(\.id))
        let others = found.filter { !newer.contains($0.id) }
        for record in others { known[record.id] = record.revision }
        (list, self.damaged, isRead) = ((list + others).sorted(by: isNewer), damaged.count, true)
    }

    /// The record of an entry; nil if there is none.
    public subscript(id: String) -> GameRecord? { list.first { $0.id == id } }

    /// The last game that was played or watched with a bundle; nil if there is none.
    public func last(of bundle: GameRecord.BundleName) -> GameRecord? { list.first { $0.bundle == bundle && !$0.isRead } }

    /// The entry of a record that was opened before; nil if there is none.
    public func same(as record: GameRecord) -> GameRecord? {
        list.first { each in
            !each.isOfTwo && (each.game, each.human, each.settings, each.actions, each.setUp)
                == (record.game, record.human, record.settings, record.actions, record.setUp)
                && each.beside.told == record.beside.told
        }
    }

    /// Save a record in place of its last revision, `base`, which is nil for a new record.
    /// The result is the saved record, under another name if someone else has continued the game in another way.
    @discardableResult
    public func keep(_ given: GameRecord, from base: String? = nil) -> GameRecord {
        var record = given
        if let base, let branch = branches[base], branch.old == record.id { record = record.renamed(branch.new) }
        if let there = self[record.id], there.revision != base {
            var beside = record.beside
            beside.take(there.beside)
            let mayReplace = record.mayReplace(there, from: base)
            record = mayReplace ? record.renamed(record.id, beside: beside) : record.renamed(GameRecord.freshId())
        }
        list(record)
        unwritten.insert(record.id)
        enqueue { await self.write() }
        return record
    }

    /// Put a record in its place in the list.
    private func list(_ record: GameRecord) {
        list.removeAll { $0.id == record.id }
        list.insert(record, at: list.firstIndex { isNewer(record, $0) } ?? list.count)
    }

    /// Take a record out of the library; `keep` brings it back.
    public func remove(_ id: String) {
        list.removeAll { $0.id == id }
        unwritten.remove(id)
        enqueue { [files] in
            // It was brought back meanwhile.
            if self[id] != nil { return }
            do {
                guard let there = try await files.remove(id, from: self.known[id]) else { return }
                // Someone else has continued it.
                self.known[id] = there.revision
                if self[id] == nil { self.list(there) }
            } catch {
                self.trouble = Trouble(error)
            }
        }
    }

    /// Wait until everything until now is on the disk, or was refused.
    public func settle() async { await queue?.value }

    private func enqueue(_ work: @escaping @MainActor () async -> Void) {
        let before = queue
        queue = Task {
            await before?.value
            await work()
        }
    }

    /// Write the records that wait for it, in their current versions.
    private func write() async {
        var found: Trouble?
        for id in unwritten.sorted() {
            guard let record = self[id] else { continue }
            do {
                let put = try await files.write(record, from: known[id])
                known[put.record.id] = put.record.revision
                if put.record.id != id { branch(id, put) }
                if self[put.record.id]?.revision == record.revision { unwritten.remove(put.record.id) }
            } catch {
                found = Trouble(error)
            }
        }
        trouble = found
    }

    /// The entry becomes what another process has made of it; the game played here gets an entry of its own.
    private func branch(_ id: String, _ put: GameFiles.Put) {
        unwritten.remove(id)
        // By now it may have gone on.
        if let current = self[id] {
            branches[current.revision] = (id, put.record.id)
            unwritten.insert(put.record.id)
            list(current.renamed(put.record.id))
        }
        guard let there = put.there else { return }
        known[id] = there.revision
        list(there)
    }
}

extension Library.Trouble {
    fileprivate init(_ error: any Error) { self = (error as? CocoaError)?.code == .fileWriteOutOfSpace ? .full : .refused }
}

private func isNewer(_ one: GameRecord, _ other: GameRecord) -> Bool { (one.changed, one.id) > (other.changed, other.id) }
