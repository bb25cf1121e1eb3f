import AzxEngine
import Support
import Testing

@testable import AzxBundle

/// Whether a policy has logits or probabilities: the manifest says it, and every position is read alike.
@Suite struct PoliciesTests {
    @Test func everyPolicyIsReadAsItsManifestSaysInEveryPosition() throws {
        let file = try Fixtures.read("policies")
        let cases = try file.items("cases")
        #expect(!cases.isEmpty)
        for written in cases {
            var members = try #require(written.members)
            members.merge(["name": .text("p"), "role": .text("policy"), "shape": .list([.number(4)])]) { $1 }
            let output = try #require(Output(.object(members)))
            #expect(try output.isLogits == written.flag("logits"), "\(written)")
            let legal = try written.ints("legal")
            for (outputs, priors) in zip(try written.items("outputs"), try written.items("priors")) {
                let answer = Evaluation(value: 0, policy: outputs.floats, logits: output.isLogits)
                let wanted = try #require(priors.list).compactMap(\.number)
                for (read, wanted) in zip(answer.priors(legal), wanted) {
                    #expect(try abs(read - wanted) <= file.double("tolerance"), "\(written)")
                }
            }
        }
    }
}
