/// SHA-256, by the system's library where it has one, else written out (FIPS 180-4, section 6.2).

import Foundation

#if canImport(CryptoKit)
    import CryptoKit

    /// SHA-256 of `bytes` in hexadecimal digits.
    public func sha256(_ bytes: Data) -> String {
        hexadecimal(SHA256.hash(data: bytes))
    }
#else
    /// SHA-256 of `bytes` in hexadecimal digits.
    public func sha256(_ bytes: Data) -> String {
        var hash = Sha256()
        bytes.withUnsafeBytes { hash.add($0) }
        return hexadecimal(hash.digest())
    }
#endif

private func hexadecimal(_ digest: some Sequence<UInt8>) -> String {
    digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// The hash where the system has none. Internal, so that tests find it on every system.
struct Sha256 {
    private static let block = 64
    // The first 32 bits of the fractional parts of the square roots of the first 8 primes, and of the cube roots of
    // the first 64.
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
    private var schedule = [UInt32](repeating: 0, count: 64)
    private var count = 0
    /// What is left of the bytes behind the last whole block.
    private var rest: [UInt8] = []

    /// Add all of a message's bytes; once.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        let whole = bytes.count / Self.block * Self.block
        for start in stride(from: 0, to: whole, by: Self.block) {
            mix(UnsafeRawBufferPointer(rebasing: bytes[start..<start + Self.block]))
        }
        rest = Array(bytes[whole...])
        count = bytes.count
    }

    /// The 32 bytes of the hash.
    mutating func digest() -> [UInt8] {
        var end = rest + [0x80]
        while end.count % Self.block != Self.block - 8 { end.append(0) }
        let bits = UInt64(count) * 8
        end += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        end.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: Self.block) {
                mix(UnsafeRawBufferPointer(rebasing: bytes[start..<start + Self.block]))
            }
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    private mutating func mix(_ block: UnsafeRawBufferPointer) {
        schedule.withUnsafeMutableBufferPointer { w in
            for at in 0..<16 { w[at] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * at, as: UInt32.self)) }
            for at in 16..<64 {
                let (early, late) = (w[at - 15], w[at - 2])
                let first = (early >> 7 | early << 25) ^ (early >> 18 | early << 14) ^ (early >> 3)
                let second = (late >> 17 | late << 15) ^ (late >> 19 | late << 13) ^ (late >> 10)
                w[at] = w[at - 16] &+ first &+ w[at - 7] &+ second
            }
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for at in 0..<64 {
            let sum = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)
            let chosen = (e & f) ^ (~e & g)
            let first = h &+ sum &+ chosen &+ Self.constants[at] &+ schedule[at]
            let other = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ other &+ majority)
        }
        for (at, word) in [a, b, c, d, e, f, g, h].enumerated() { state[at] = state[at] &+ word }
    }
}
