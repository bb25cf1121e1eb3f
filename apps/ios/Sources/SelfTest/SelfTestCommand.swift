/// `azx-selftest BUNDLE`: a bundle's self-test in a terminal, with what the app's screen shows of it.

import AzxBundle
import AzxEngine
import AzxNetwork
import AzxPlay
import Foundation

/// The command for any runtime: `load` runs a network on one of the `units`; it is nil if nothing can. `say` and `complain`
/// write a line.
public struct SelfTestCommand: Sendable {
    /// The exit status of the process.
    public enum Ending: Int32, Sendable {
        case passed = 0
        /// Nothing was tested: the arguments or the bundle are no good.
        case badInput = 2
        /// On one of the units the network's answers are not the recorded ones, or it did not run.
        case failed = 3
    }

    public static let usage = """
        usage: azx-selftest [--seconds SECONDS] BUNDLE
        Compare a bundle's network with its golden.json in Core ML, on each of this machine's units, and measure it \
        for so many seconds (1).
        """
    private let device: String
    private let units: [Units]
    private let load: Loading?
    private let say: @Sendable (String) -> Void
    private let complain: @Sendable (String) -> Void

    public init(
        device: String, units: [Units], say: @escaping @Sendable (String) -> Void,
        complain: @escaping @Sendable (String) -> Void, load: Loading?
    ) {
        self.device = device
        self.units = units
        self.say = say
        self.complain = complain
        self.load = load
    }

    /// Run with the arguments behind the command's own name.
    public func run(_ arguments: [String]) async -> Ending {
        if ["-h", "--help"].contains(arguments.first) {
            say(Self.usage)
            return .passed
        }
        do {
            let asked = try Asked(arguments)
            guard let load else { throw GameError("Core ML is on Apple's systems only: run this on a Mac.") }
            let bundle = try openBundle(asked.folder)
            return try await testUnits(bundle, load, seconds: asked.seconds) ? .passed : .failed
        } catch {
            complain("azx-selftest: \(describe(error))")
            return .badInput
        }
    }

    /// Whether the network passes on every unit; a row is written as soon as it is known.
    private func testUnits(_ bundle: GameBundle, _ load: Loading, seconds: Double) async throws -> Bool {
        let (checkpoint, positions) = (bundle.manifest.checkpoint, try bundle.golden().count)
        say("\(bundle.entry.name): \(checkpoint.file) \(checkpoint.sha256.prefix(12)), on \(device)")
        say("Errors on \(positions) positions of golden.json: \(bundle.allowed)")
        say(Row.titles)
        var lacking: [String] = []
        for units in units {
            let row = await row(bundle, units, load, seconds)
            say(row.line)
            if !row.passed { lacking.append(units.words) }
        }
        say(lacking.isEmpty ? "PASS" : "FAIL on \(lacking.joined(separator: ", on "))")
        return lacking.isEmpty && !units.isEmpty
    }

    private func row(_ bundle: GameBundle, _ units: Units, _ load: Loading, _ seconds: Double) async -> Row {
        do {
            let network = try await load(bundle, units)
            guard let tested = try await selfTest(bundle, network, device: device, seconds: seconds) else {
                return Row(units, "was stopped")
            }
            return Row(units, tested)
        } catch {
            return Row(units, describe(error))
        }
    }
}

/// What was asked for.
private struct Asked {
    let folder: String
    let seconds: Double

    /// GameError if it is not understood.
    init(_ arguments: [String]) throws {
        var rest = arguments
        var seconds = 1.0
        if let at = rest.firstIndex(of: "--seconds") {
            guard rest.indices.contains(at + 1), let given = Double(rest[at + 1]), 0...3600 ~= given else {
                throw GameError("--seconds needs a number from 0 to 3600.")
            }
            seconds = given
            rest.removeSubrange(at...at + 1)
        }
        if let unknown = rest.first(where: { $0.hasPrefix("-") }) {
            throw GameError("there is no option \(unknown): see azx-selftest --help.")
        }
        guard rest.count == 1 else {
            throw GameError("give one bundle's folder, not \(rest.count): see azx-selftest --help.")
        }
        (folder, self.seconds) = (rest[0], seconds)
    }
}

/// The bundle in a folder without an index: its manifest vouches for the other files. GameError if it has no manifest,
/// BundleError if a tested file differs from the manifest.
private func openBundle(_ path: String) throws -> GameBundle {
    let folder = URL(fileURLWithPath: path).standardizedFileURL
    guard let bytes = try? Data(contentsOf: folder.appending(path: "manifest.json"), options: .mappedIfSafe) else {
        throw GameError("'\(path)' has no manifest.json that could be read: give a folder that azx export has made.")
    }
    let name = folder.lastPathComponent
    let manifest = FileEntry(path: "manifest.json", sha256: sha256(bytes), size: bytes.count)
    let entry = Entry(name: name, title: name, game: nil, artifact: nil, format: nil, files: [manifest])
    let bundle = try GameBundle(entry, Store(folder.deletingLastPathComponent()))
    _ = try bundle.golden()
    _ = try bundle.model()
    return bundle
}
