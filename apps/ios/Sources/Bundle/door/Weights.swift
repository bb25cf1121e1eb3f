/// Whether the constants of a Core ML program lie in its file of weights.
///
/// Each begins with 64 bytes: a mark, its type, how many bytes it has and where they lie, little end first.

import Foundation

/// Whether all that `places` name lies within `file`, each as large as it is said to be.
func holds(_ file: Data, _ places: [WeightPlace]) -> Bool {
    places.allSatisfy { place in
        let headSize: UInt64 = 64
        let mark: UInt64 = 0xdead_beef
        let all = UInt64(file.count)
        guard place.offset <= all, all - place.offset >= headSize else { return false }
        let head = Array(file.dropFirst(Int(place.offset)).prefix(Int(headSize)))
        let (size, offset) = (number(head[8..<16]), number(head[16..<24]))
        return number(head[0..<4]) == mark && offset <= all && size <= all - offset && size == place.bytes
    }
}

private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
