/// What the app's search costs; benchmarks/ios.py asks and says what of.
///
/// For each line of the standard input, a line of answer:
///
///     GAME SIMULATIONS               CPU seconds of a search from the first state with a network that costs nothing
///     memory GAME SIZE SIMULATIONS   by how many bytes the process's peak of resident memory has grown; once a process
///     network FOLDER SIMULATIONS     CPU seconds of a search with the bundle's network in ONNX Runtime, and of the
///                                    same evaluations alone; `none` where the package was built without ONNX Runtime

import AzxEngine
import Foundation
import Support

#if canImport(OnnxRuntime)
    import AzxNetwork
    import OnnxRuntime

    /// A network that notes what it is asked; one search asks at a time.
    private final class Noting: Evaluator, @unchecked Sendable {
        private let network: any Evaluator
        private(set) var asked: [any State] = []

        init(_ network: any Evaluator) { self.network = network }

        func evaluate(_ state: any State) async throws -> Evaluation {
            asked.append(state)
            return try await network.evaluate(state)
        }
    }

    /// The networks that are open, by folder: an app opens one once, too.
    private nonisolated(unsafe) var open: [String: (start: any State, evaluator: NetworkEvaluator)] = [:]

    private func network(_ folder: String, _ simulations: Int) async throws -> String {
        let (start, evaluator) = try open[folder] ?? openNetwork(folder)
        let noting = Noting(evaluator)
        try await Search(start, noting).run(simulations)
        // No clock within a search: reading one takes as long as a good part of a simulation.
        var begin = processSeconds()
        try await Search(start, evaluator).run(simulations)
        let search = processSeconds() - begin
        begin = processSeconds()
        for state in noting.asked { _ = try await evaluator.evaluate(state) }
        return "\(search) \(processSeconds() - begin)"
    }

    private func openNetwork(_ folder: String) throws -> (any State, NetworkEvaluator) {
        let bundle = try Fixtures.bundle(URL(fileURLWithPath: folder))
        let found = (try bundle.reading.start(), NetworkEvaluator(try OnnxNetwork(bundle), bundle))
        open[folder] = found
        return found
    }
#else
    private func network(_: String, _: Int) -> String { "none" }
#endif

private func search(_ game: String, _ simulations: Int) async throws -> String {
    let start = try Game.find(game).begin()
    let begin = processSeconds()
    try await Search(start, Uniform()).run(simulations)
    return "\(processSeconds() - begin)"
}

private func memory(_ game: String, _ size: Double, _ simulations: Int) async throws -> String {
    let start = try Game.find(game).begin(["size": .number(size)])
    // What a first search loads is not the tree's; and answers have policies, as a network's have.
    try await Search(start, HashEvaluator()).run(2)
    let before = peak()
    let search = Search(start, HashEvaluator())
    try await search.run(simulations)
    return "\(peak() - before)"
}

/// How much CPU the process has taken; what others on the machine take meanwhile does not count.
private func processSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The most bytes of memory that the process has held.
private func peak() -> Int {
    #if os(Linux)
        // What getrusage tells there may be the peak of the program that has started this one.
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1024
    #else
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss
    #endif
}

private func answer(_ words: [String]) async throws -> String? {
    guard let simulations = words.last.flatMap({ Int($0) }) else { return nil }
    switch (words.count, words[0]) {
    case (2, _): return try await search(words[0], simulations)
    case (4, "memory"): return try await memory(words[1], Double(words[2]) ?? .nan, simulations)
    case (3, "network"): return try await network(words[1], simulations)
    default: return nil
    }
}

// Off the main thread, whose waiting for another one is not the search's time.
try await Task.detached {
    while let line = readLine() {
        guard let answer = try await answer(line.split(separator: " ").map(String.init)) else {
            fatalError("'\(line)' is no question, see the head of this file.")
        }
        print(answer)
        // A pipe is no line by line.
        fflush(nil)
    }
}.value
