import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#else
    import CSystem
#endif

/// SHA-256 of `bytes` in hexadecimal digits.
public func sha256(_ bytes: Data) -> String {
    #if canImport(CryptoKit)
        let digest = SHA256.hash(data: bytes)
    #else
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        bytes.withUnsafeBytes { _ = SHA256($0.baseAddress, $0.count, &digest) }
    #endif
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
