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

/// `activation` is what the network ends with: tanh, softmax, linear (logits), ..., unknown. `valueHead` is how a
/// value is read, nil where the role is another.
public struct Output: Equatable, Sendable {
    public let port: Port
    public let role: Role
    public let activation: String
    public let valueHead: ValueHead?

    public var name: String { port.name }

    /// nil where `data` is no output; BundleError where its value is none that this app reads.
    fileprivate init?(_ data: Json, _ place: String) throws {
        guard let port = Port(data), let role = data["role"].text.flatMap(Role.init(rawValue:)) else { return nil }
        do {
            valueHead = role == .value ? try ValueHead(data, size: port.size) : nil
        } catch let error as GameError {
            throw BundleError("\(place): \(error.sentence)")
        }
        self.port = port
        self.role = role
        activation = data["activation"].text ?? "unknown"
    }
}

/// The file that the bundle was made from.
public struct Checkpoint: Equatable, Sendable {
    public let file: String
    public let sha256: String
    public let parameters: Int
}

/// A bundle's manifest; `place` begins the sentences of errors about it, `data` is the whole of it.
///
/// `recommended` are the paths of the networks by the kind of device; `threads` is how many one should run on.
public struct Manifest: Sendable {
    public let place: String
    public let data: Json
    public let name: String
    public let game: String
    public let input: Port
    public let outputs: [Output]
    public let recommended: [String: String]
    public let threads: Int
    public let checkpoint: Checkpoint
    public let files: [FileEntry]

    /// The manifest that `data` is; BundleError where this app cannot play it.
    public init(_ data: Json, _ place: String) throws {
        let version = data["schema_version"]
        guard version.whole == schemaVersion else {
            throw BundleError(
                "\(place): its manifest has version \(version), this app reads \(schemaVersion): use a newer app.")
        }
        guard let game = data["game"].text else {
            throw BundleError("\(place): its manifest names no game that could be played.")
        }
        let lacking = BundleError(
            "\(place): its manifest lacks inputs, outputs, files or recommended: export the bundle again.")
        guard let inputs = data["inputs"].list.map({ $0.map(Port.init) }), let outputs = data["outputs"].list,
            let files = FileEntry.list(data["files"]), let recommended = data["recommended"].members
        else { throw lacking }
        guard inputs.count == 1 else {
            throw BundleError("\(place): its network has \(inputs.count) inputs, this app plays those with one.")
        }
        guard let input = inputs[0] else { throw lacking }
        self.place = place
        self.data = data
        self.name = data["name"].text ?? ""
        self.game = game
        self.input = input
        self.outputs = try outputs.map {
            guard let output = try Output($0, place) else { throw lacking }
            return output
        }
        self.recommended = recommended.compactMapValues(\.text)
        self.threads = try threadsFrom(data["threads"], place)
        let checkpoint = data["checkpoint"]
        self.checkpoint = Checkpoint(
            file: checkpoint["file"].text ?? "", sha256: checkpoint["sha256"].text ?? "",
            parameters: checkpoint["parameters"].whole ?? 0)
        self.files = files
    }

    /// The output with a role; nil where the network has none.
    public func output(_ role: Role) -> Output? {
        outputs.first { $0.role == role }
    }

    /// The entry of a path that stays below the bundle's folder; BundleError where there is none.
    func file(_ path: String) throws -> FileEntry {
        guard isInside(path), let file = files.first(where: { $0.path == path }) else { throw unlisted(path) }
        return file
    }

    /// The entries of an artifact, which is a file or a folder; BundleError where there are none.
    func files(of artifact: String) throws -> [FileEntry] {
        let found = files.filter { $0.path == artifact || $0.path.hasPrefix(artifact + "/") }
        guard isInside(artifact), !found.isEmpty, found.allSatisfy({ isInside($0.path) }) else {
            throw unlisted(artifact)
        }
        return found
    }

    private func unlisted(_ path: String) -> BundleError {
        BundleError("\(place): its manifest does not list '\(path)': export the bundle again.")
    }
}

/// No board and no policy is anywhere near this many numbers.
private func isSane(_ shape: [Int]) -> Bool {
    let limit = 1 << 24
    return shape.allSatisfy { $0 >= 1 && $0 < limit } && shape.reduce(1) { min($0 * $1, limit) } < limit
}

private func threadsFrom(_ data: Json, _ place: String) throws -> Int {
    if data.isNull { return 1 }
    guard let threads = data.whole, threads >= 1 else {
        throw BundleError("\(place): its manifest asks for '\(data)' threads, use 1 or more: export it again.")
    }
    return threads
}
