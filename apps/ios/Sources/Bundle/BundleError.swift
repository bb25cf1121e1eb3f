/// Why a bundle cannot be used: one sentence that a player can read, in the app's languages where it has a key there.
public struct BundleError: Error, Equatable, CustomStringConvertible {
    public let remark: Remark

    init(_ saying: Saying, _ places: String...) {
        remark = Remark(saying, places)
    }

    /// A sentence that the app has in English alone.
    public init(_ sentence: String) {
        remark = Remark(key: nil, places: [], english: sentence)
    }

    public var sentence: String { remark.english }

    public var description: String { sentence }
}

/// What is wrong with the answers of a bundle's network.
extension BundleError {
    public static func noNumber(_ bundle: String) -> BundleError { BundleError(.noNumber, bundle) }

    public static func noOutput(_ output: String, of bundle: String, has: [String]) -> BundleError {
        BundleError(.noOutput, bundle, output, has.joined(separator: ", "))
    }

    public static func outputSize(_ output: Output, has count: Int, of bundle: String) -> BundleError {
        BundleError(.outputSize, bundle, output.name, "\(count)", "\(output.port.size)")
    }

    public static func inputSize(_ count: Int, wanted: Int, of bundle: String) -> BundleError {
        BundleError(.inputSize, bundle, "\(count)", "\(wanted)")
    }

    public static func unlistedManifest(_ bundle: String) -> BundleError { BundleError(.unlistedManifest, bundle) }
}
