/// What this app reads of a bundle's manifest.json and golden.json; docs/bundle-format.md has all of them.

import AzxEngine

/// The version of manifests that this app reads.
public let schemaVersion = 1

/// A network's input or output; `shape` is without the batch.
public struct Port: Equatable, Sendable {
    public let name: String
    public let shape: [Int]

    /// How many numbers it has.
    public var size: Int { shape.reduce(1, *) }

    fileprivate init?(_ data: Json) {
        guard let name = data["name"].text, let shape = data["shape"].wholes, isSane(shape) else { return nil }
        self.name = name
        self.shape = shape
    }
}

public enum Role: String, Sendable { case value, policy, other }

/// `valueHead` reads a value; it is nil for another role, or with a `fault` if the manifest describes no possible head.
/// `isLogits` is whether a policy's numbers are logits and not probabilities, in every position alike.
public struct Output: Equatable, Sendable {
    public let port: Port
    public let role: Role
    public let isLogits: Bool
    public let valueHead: ValueHead?
    let fault: GameError?
    /// Whether it is the value or the policy by its shape alone.
    let isAssumed: Bool

    public var name: String { port.name }

    /// nil if `data` is no output.
    init?(_ data: Json) {
        guard let port = Port(data), let role = data["role"].text.flatMap(Role.init(rawValue:)) else { return nil }
        let read = Result { role == .value ? try ValueHead(data, size: port.size) : nil }
        valueHead = (try? read.get()) ?? nil
        if case .failure(let error) = read { fault = error as? GameError } else { fault = nil }
        self.port = port
        self.role = role
        isAssumed = role != .other && data["degree"].text == "assumed"
        isLogits = switch data["policy_range"].text {
        case "logits": true
        case "probabilities": false
        // An older bundle: the last activation decides, and an unknown one counts as logits.
        default: !["softmax", "sigmoid", "hard_sigmoid"].contains(data["activation"].text)
        }
    }
}

/// The file that the bundle was made from.
public struct Checkpoint: Equatable, Sendable {
    public let file: String
    public let sha256: String
    public let parameters: Int
}

/// The manifest of a bundle called `bundle`; `data` is the whole of it.
///
/// `game` is nil if it is unknown. `rows` is the number of positions that the network takes at a time, 1 if that is free.
/// `recommended` are the paths of the networks by the kind of device, `threads` the number of threads for one. `others` are
/// the readings that fit as well, if it is only assumed how the network sees the board; nil if that is known.
public struct Manifest: Sendable {
    public let bundle: String
    public let data: Json
    public let name: String
    public let game: String?
    /// At least one.
    public let inputs: [Port]
    public let outputs: [Output]
    public let rows: Int
    public let recommended: [String: String]
    public let threads: Int
    public let checkpoint: Checkpoint
    public let files: [FileEntry]
    let others: [Other]?
    /// Why no app can play it, as its exporter knew.
    let problems: [Problem]
    /// The number of positions in which its answers were compared with the checkpoint's, as it claims; nil if it claims none.
    public var compared: Int? { data["positions"]["count"].whole.flatMap { $0 > 0 ? $0 : nil } }

    /// The first input, which is the only one of most networks.
    public var input: Port { inputs[0] }

    /// The manifest in `data`; BundleError if this app cannot read it.
    public init(_ data: Json, of bundle: String) throws {
        let version = data["schema_version"]
        guard version.whole == schemaVersion else { throw BundleError("error_version", bundle, "\(version)") }
        /// A member as `read` returns it; BundleError if it returns nil.
        func member<Found>(_ name: String, _ read: (Json) -> Found?) throws -> Found {
            guard let found = read(data[name]) else { throw BundleError("error_member", bundle, name) }
            return found
        }
        self.bundle = bundle
        self.data = data
        name = try member("name", \.text)
        game = try member("game") { $0.isNull ? .some(nil) : $0.text.map { .some($0) } }
        _ = try member("settings") { $0.isNull ? [:] : $0.members }
        let inputs = try member("inputs") { $0.list(of: Port.init) }
        guard !inputs.isEmpty else { throw BundleError("error_member", bundle, "inputs") }
        self.inputs = inputs
        let outputs = try member("outputs") { $0.list(of: Output.init) }
        self.outputs = outputs
        rows = try member("batch") { batch in
            guard let rows = batch.isNull ? 1 : batch.whole else { return nil }
            return (inputs + outputs.map(\.port)).allSatisfy { isSane($0.shape + [rows]) } ? rows : nil
        }
        recommended = try member("recommended", \.members).compactMapValues(\.text)
        // A file that is listed twice would be read twice.
        files = try member("files") { listed in
            guard let files = listed.list(of: FileEntry.init) else { return nil }
            return Set(files.map(\.path)).count == files.count ? files : nil
        }
        problems = try member("problems", Problem.list)
        others = try member("assumed") { $0.isNull ? .some(nil) : Other.list($0["others"]).map { .some($0) } }
        threads = try member("threads") { $0.isNull ? 1 : $0.whole.flatMap { $0 >= 1 ? $0 : nil } }
        checkpoint = try member("checkpoint") { checkpoint in
            checkpoint["parameters"].whole.map {
                Checkpoint(
                    file: checkpoint["file"].text ?? "", sha256: checkpoint["sha256"].text ?? "", parameters: $0)
            }
        }
    }

    /// The output with a role; nil if the network has none.
    public func output(_ role: Role) -> Output? {
        outputs.first { $0.role == role }
    }

    /// The entry of a path that stays below the bundle's folder; BundleError if there is none.
    func file(_ path: String) throws -> FileEntry {
        guard isInside(path), let file = files.first(where: { $0.path == path }) else { throw unlistedError(path) }
        return file
    }

    /// The entries of an artifact, which is a file or a folder; BundleError if there are none.
    func files(of artifact: String) throws -> [FileEntry] {
        let found = files.filter { $0.path == artifact || $0.path.hasPrefix(artifact + "/") }
        guard isInside(artifact), !found.isEmpty, found.allSatisfy({ isInside($0.path) }) else {
            throw unlistedError(artifact)
        }
        return found
    }

    private func unlistedError(_ path: String) -> BundleError {
        BundleError("error_unlisted", bundle, path)
    }
}

/// No board and no policy is anywhere near this many numbers.
private func isSane(_ shape: [Int]) -> Bool {
    let limit = 1 << 24
    return shape.allSatisfy { $0 >= 1 && $0 < limit } && shape.reduce(1) { min($0 * $1, limit) } < limit
}
