/// The page's drawn numbers: the same sequence by a seed in every language.
public struct Drawing: Sendable {
    private var seed: UInt32

    public init(_ seed: UInt32) { self.seed = seed }

    /// A number from 0 to `below` - 1.
    public mutating func draw(_ below: Int) -> Int {
        seed = (seed &* 1_103_515_245 &+ 12345) & 0x7fff_ffff
        return Int(Double(seed) / Double(0x8000_0000) * Double(below))
    }
}
