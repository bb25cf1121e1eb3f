/// What a bundle's proof was held to, and how far an answer is from the reference's.

import AzxEngine
import Foundation

extension Fixtures {
    /// For each output the limit that the bundle's own proof held its artifact of a format to.
    public static func limits(of folder: URL, format: String) throws -> [String: Double] {
        let proof = try json(folder.appending(path: "parity.json"))
        guard let artifact = try proof.items("artifacts").first(where: { $0["format"].text == format }) else {
            throw Lack(member: format)
        }
        var limits: [String: Double] = [:]
        for head in try artifact.items("heads") { limits[try head.string("head")] = try head.double("limit") }
        return limits
    }

    /// The largest difference, each divided by max(1, |reference|); infinite where a number is missing or is none.
    public static func error(_ found: [Float], _ expected: [Float]) -> Double {
        guard found.count == expected.count else { return .infinity }
        return zip(found, expected).reduce(0) { largest, pair in
            let error = abs(Double(pair.0) - Double(pair.1)) / max(1, abs(Double(pair.1)))
            return error.isNaN ? .infinity : max(largest, error)
        }
    }
}
