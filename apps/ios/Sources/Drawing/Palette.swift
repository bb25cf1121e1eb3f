/// The colours of the boards, which all apps share, by their purpose.

import Foundation

/// The purpose of a colour, which has a light and a dark variant.
public enum Role: String, CaseIterable, Sendable {
    case paper, card, ink, line, accent, warm
    case red, yellow, blue, orange
    case frame, hole, win, edge
    case wood, woodLine, felt, feltLine, winRing, glow, forbidden
    /// The parts of stones in the light, and the rest.
    case blackShine, blackBody, whiteShine, whiteBody
    case black, white, grey, lightText
}

/// A colour as a board names it; a palette knows what it is.
public indirect enum Tint: Equatable, Sendable {
    case role(Role)
    /// A mix of two tints by the share, 0 to 1, of the second.
    case mix(Tint, Tint, Double)
    /// A tint with a share, 0 to 1, of its opacity.
    case fade(Tint, Double)
    /// The colour of text on a ground: dark or light, whichever contrasts more.
    case on(Tint)

    static func mix(_ from: Role, _ to: Role, _ share: Double) -> Tint { .mix(.role(from), .role(to), share) }

    static func fade(_ role: Role, _ share: Double) -> Tint { .fade(.role(role), share) }
}

/// Red, green, blue and opacity, each 0 to 1, in sRGB.
public struct Colour: Equatable, Sendable {
    public let red: Double
    public let green: Double
    public let blue: Double
    public var opacity: Double = 1

    /// The colour 0xRRGGBB.
    init(_ number: Int) {
        self.init([16, 8, 0].map { Double(number >> $0 & 0xff) / 255 })
    }

    private init(_ parts: [Double], opacity: Double = 1) {
        (red, green, blue) = (parts[0], parts[1], parts[2])
        self.opacity = opacity
    }

    private var parts: [Double] { [red, green, blue] }

    func mix(with other: Colour, _ share: Double) -> Colour {
        Colour(zip(parts, other.parts).map { $0 + ($1 - $0) * share }, opacity: opacity)
    }

    func fade(_ share: Double) -> Colour { Colour(parts, opacity: opacity * share) }

    /// The relative luminance of WCAG 2.2.
    private var luminance: Double {
        let linear = parts.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    /// The contrast ratio of WCAG 2.2, 1 to 21, of opaque colours.
    func contrast(_ other: Colour) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }
}

public struct Palette: Sendable {
    private let numbers: [Role: Int]

    public static let light = Palette(numbers: [
        .paper: 0xf4f5f8, .card: 0xffffff, .ink: 0x1a2233, .line: 0xd8dce6, .accent: 0x2f5fd0, .warm: 0xff7814,
        .red: 0xe5484d, .yellow: 0xf2bd12, .blue: 0x2f6fe4, .orange: 0xee7d1b,
        .frame: 0x2450b8, .hole: 0x0d1d45, .win: 0x21b36b, .edge: 0x8a93a7,
        .wood: 0xe2b871, .woodLine: 0x6d4c1c, .felt: 0x4f9e72, .feltLine: 0x14422b, .winRing: 0x0d7a45, .glow: 0xd22814, .forbidden: 0xb3131a,
        .blackShine: 0x7a7a7a, .blackBody: 0x0c0c0c, .whiteShine: 0xffffff, .whiteBody: 0xc4c4bc,
        .black: 0x000000, .white: 0xffffff, .grey: 0x444444, .lightText: 0xffffff,
    ])

    public static let dark = Palette(
        numbers: light.numbers.merging([
            .paper: 0x10151f, .card: 0x1a2130, .ink: 0xe9edf5, .line: 0x303a4d, .accent: 0x6d97ff,
            .frame: 0x1f3f8f, .edge: 0x66728b,
            .wood: 0xb98d49, .woodLine: 0x3d2a0d, .felt: 0x3b8a61, .feltLine: 0x0c2a1b, .forbidden: 0x8f0d13,
        ]) { $1 })

    public static func of(isDark: Bool) -> Palette { isDark ? dark : light }

    public func colour(_ tint: Tint) -> Colour {
        switch tint {
        case .role(let role): Colour(numbers[role] ?? 0)
        case .mix(let from, let to, let share): colour(from).mix(with: colour(to), share)
        case .fade(let tint, let share): colour(tint).fade(share)
        case .on(let ground): text(on: colour(ground))
        }
    }

    private func text(on ground: Colour) -> Colour {
        // Black and white: one of them has a contrast of 4.5 at least with any ground.
        let (dark, light) = (colour(.role(.black)), colour(.role(.lightText)))
        return dark.contrast(ground) > light.contrast(ground) ? dark : light
    }
}
