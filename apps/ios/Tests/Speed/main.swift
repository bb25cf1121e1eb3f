/// How fast the app's search is; benchmarks/ios.py runs it beside the Python search.
///
/// For each line "GAME SIMULATIONS" of the standard input, search from the game's first state with a network that
/// costs nothing, and answer with a line: the process's CPU seconds.

import AzxEngine
import Foundation

while let line = readLine() {
    let words = line.split(separator: " ")
    guard words.count == 2, let simulations = Int(words[1]) else { fatalError("'\(line)' is no GAME SIMULATIONS") }
    let start = try Game.named(String(words[0])).begin()
    let begin = clock()
    try await Search(start, Uniform()).run(simulations)
    print(Double(clock() - begin) / Double(CLOCKS_PER_SEC))
    // A pipe is no line by line.
    fflush(nil)
}
