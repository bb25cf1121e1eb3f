// Linux compiles nothing of this; tools/app.sh holds it to Tests/Declarations there.
#if canImport(CoreML)
    import AzxBundle
    import AzxCoreML
    import AzxNetwork
    import Foundation
    import Support
    import Testing

    /// The exported networks in Core ML, on each unit that this machine offers, against the reference's outputs. One
    /// at a time: models that share a unit slow each other down.
    @Suite(.serialized, .timeLimit(.minutes(10))) struct CoreMLTests {
        private static let folders = Fixtures.bundles(in: Fixtures.bundles) + Fixtures.bundles(in: Fixtures.others)

        @Test func thereAreBundlesAndUnits() {
            #expect(!Self.folders.isEmpty, "make bundles exports them")
            #expect(CoreMLEvaluator.offered.contains(.cpu))
        }

        /// The limits are those that the export's proof held the Core ML artifact to, off a Mac.
        @Test(arguments: folders, CoreMLEvaluator.offered)
        func everyNetworkAnswersAsGoldenJsonSays(folder: URL, units: Units) async throws {
            let bundle = try Fixtures.bundle(folder)
            let network = try await CoreMLEvaluator(bundle, units, words: units.rawValue)
            let limits = try Fixtures.limits(of: folder, format: format)
            var largest: [String: Double] = [:]
            for position in try bundle.golden() {
                let found = try await network.outputs(try #require(position.inputs[bundle.manifest.input.name]))
                #expect(found.keys == position.outputs.keys)
                for (name, expected) in position.outputs {
                    largest[name] = max(largest[name] ?? 0, Fixtures.error(found[name] ?? [], expected))
                }
            }
            #expect(largest.keys == limits.keys)
            for (name, error) in largest.sorted(by: { $0.key < $1.key }) {
                let limit = try #require(limits[name])
                let figures = String(format: "%.2e of %.2e", error, limit)
                print("parity: \(folder.lastPathComponent), \(name): \(figures), \(network.runtime)")
                #expect(error <= limit, "\(name): \(figures)")
            }
        }

        @Test func aModelThatWasCompiledBeforeAnswersTheSame() async throws {
            let bundle = try Fixtures.bundle(Fixtures.bundles.appending(path: "tictactoe"))
            let input = try #require(try bundle.golden()[0].inputs[bundle.manifest.input.name])
            let first = try await CoreMLEvaluator(bundle, .cpu, words: "CPU").outputs(input)
            let second = try await CoreMLEvaluator(bundle, .cpu, words: "CPU").outputs(input)
            #expect(first == second)
        }

        @Test func anInputOfAnotherSizeIsOneSentence() async throws {
            let bundle = try Fixtures.bundle(Fixtures.bundles.appending(path: "tictactoe"))
            let network = try await CoreMLEvaluator(bundle, .cpu, words: "CPU")
            let size = bundle.manifest.input.size
            let wanted = BundleError("error_input_size", "tictactoe", "1", "\(size)")
            await #expect(throws: wanted) { try await network.outputs([0]) }
        }

        @Test func aModelThatIsNotItsManifestsIsNotLoaded() async throws {
            let broken = try Broken()
            try broken.write(Data("{}".utf8), Broken.model)
            let bundle = try broken.open()
            await #expect(throws: BundleError.self) { try await CoreMLEvaluator(bundle, .cpu, words: "CPU") }
        }

        /// Files that are the manifest's and no model: Core ML's own error, and no end of the process.
        @Test func whatIsNoModelIsRefused() async throws {
            let broken = try Broken()
            try broken.replace(Broken.model, with: Data("no model".utf8))
            let bundle = try broken.open()
            await #expect(throws: (any Error).self) { try await CoreMLEvaluator(bundle, .cpu, words: "CPU") }
        }
    }
#endif
