/// azx-selftest: see SelfTestCommand. What stands here is what only Apple's systems have.

import AzxNetwork
import AzxSelfTest
import Foundation

#if canImport(CoreML)
    import AzxCoreML

    let units = CoreMLEvaluator.offered
    let load: Loading? = { bundle, units in try await CoreMLEvaluator(bundle, units, words: units.words) }
#else
    let units: [Units] = []
    let load: Loading? = nil
#endif

let command = SelfTestCommand(
    device: ProcessInfo.processInfo.operatingSystemVersionString, units: units,
    // Not print, which buffers many rows if the output is a file.
    say: { FileHandle.standardOutput.write(Data(($0 + "\n").utf8)) },
    complain: { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }, load: load)
exit(await command.run(Array(CommandLine.arguments.dropFirst())).rawValue)
