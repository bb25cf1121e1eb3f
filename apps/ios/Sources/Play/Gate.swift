/// The self-test of an approximation: by the limits that its manifest records, on golden.json's positions.

import AzxBundle
import AzxEngine
import AzxNetwork

/// How far the answers are from the recorded ones; `passed` if they are finite and within the limits. Only positions whose two best
/// moves are far enough apart have a best move. If there are few of them, one may always change.
func judge(_ golden: [Golden], _ manifest: Manifest, _ limits: Limits, _ network: any Network) async throws -> Found {
    var (largest, same, with) = (0.0, 0, 0)
    var isClose = !golden.isEmpty
    let scores = areScores(golden, manifest)
    for position in golden {
        if Task.isCancelled { break }
        let answer = try await network.outputs(of: position.inputs)
        largest = max(largest, largestError(position, answer))
        if !(winRateError(position, manifest, answer) <= limits.valueMax) { isClose = false }
        guard let isKept = keepsBest(position, manifest, answer, limits.margin, scores) else { continue }
        with += 1
        if isKept { same += 1 }
    }
    let changes = max(1, Int((1 - limits.bestMove) * Double(with)))
    let passed = isClose && largest.isFinite && with - same <= changes
    return Found(positions: golden.count, largestError: largest, sameBest: same, withBest: with, passed: passed)
}

/// From 0 to 1; infinite if an answer is missing.
private func winRateError(_ position: Golden, _ manifest: Manifest, _ answer: [String: [Float]]) -> Double {
    guard let output = manifest.output(.value) else { return 0 }
    guard let head = output.valueHead, let found = answer[output.name], let expected = position.outputs[output.name],
        found.count == expected.count
    else { return .infinity }
    return abs(head.read(found) - head.read(expected)) / 2
}

/// How far from 1 the sum of chances may be.
private let slack = 1e-3

/// Whether a policy has independent numbers that do not add up to 1, as sigmoids give.
private func areScores(_ golden: [Golden], _ manifest: Manifest) -> Bool {
    guard let policy = manifest.output(.policy), !policy.isLogits else { return false }
    return golden.contains { position in
        let sum = (position.outputs[policy.name] ?? []).reduce(0.0) { $0 + Double($1) }
        return abs(sum - 1) > slack
    }
}

/// Whether the best legal move stays the best; nil if the two best ones are too near, or there is no policy.
private func keepsBest(
    _ position: Golden, _ manifest: Manifest, _ answer: [String: [Float]], _ margin: Double, _ scores: Bool
) -> Bool? {
    guard let policy = manifest.output(.policy), let expected = position.outputs[policy.name] else { return nil }
    let moves = position.legal ?? Array(expected.indices)
    func chances(_ numbers: [Float]) -> [Double] {
        // Small scores divided by their sum could differ by more than the limit.
        if scores { return moves.map { Double(numbers[$0]) } }
        return Evaluation(value: 0, policy: numbers, logits: policy.isLogits).priors(moves)
    }
    let original = chances(expected)
    let sorted = original.sorted(by: >)
    guard moves.count > 1, sorted[0] - sorted[1] > margin else { return nil }
    guard let found = answer[policy.name], found.count == expected.count else { return false }
    let kept = chances(found)
    return kept.max().flatMap(kept.firstIndex) == original.firstIndex(of: sorted[0])
}
