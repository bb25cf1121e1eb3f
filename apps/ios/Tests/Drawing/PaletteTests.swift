@testable import AzxDrawing
import Foundation
import Support
import Testing

/// Whether what matters can be seen: contrasts by WCAG 2.2, which asks for 3 between what is drawn and what is beside it, and for
/// 4.5 for texts, such as the figures of a hint.
@Suite struct PaletteTests {
    private static let palettes = [Palette.light, .dark]

    @Test(arguments: palettes) func piecesAreSeenOnTheirBoards(_ palette: Palette) {
        let pairs: [(Role, Role)] = [
            (.red, .hole), (.yellow, .hole), (.red, .card), (.ink, .card), (.edge, .card), (.accent, .card),
            (.woodLine, .wood),
        ]
        for (piece, board) in pairs {
            let contrast = palette.colour(.role(piece)).contrast(palette.colour(.role(board)))
            #expect(contrast >= 3, "\(piece) on \(board): \(contrast)")
        }
        // Rings are yellow with a darker rim.
        let rim = palette.colour(.mix(.yellow, .black, 0.35)).contrast(palette.colour(.role(.card)))
        let ring = palette.colour(.role(.yellow)).contrast(palette.colour(.role(.card)))
        #expect(max(rim, ring) >= 3)
    }

    @Test(arguments: palettes) func stonesAreSeenOnWood(_ palette: Palette) {
        let woods = [Tint.role(.wood), .mix(.wood, .white, 0.1), .mix(.wood, .woodLine, 0.12)].map(palette.colour)
        let white = palette.colour(.role(.whiteBody))
        let rim = palette.colour(.fade(.black, Stones.rimOpacity)).over(white)
        for wood in woods {
            #expect(palette.colour(.role(.blackBody)).contrast(wood) >= 3)
            // White on wood is not far from it in brightness: its rim shows where it ends.
            #expect(rim.contrast(wood) >= 3, "\(rim.contrast(wood))")
        }
        #expect(rim.contrast(white) >= 3)
    }

    @Test(arguments: palettes) func theLinesOfAnAimAreSeen(_ palette: Palette) {
        for (board, isFelt) in [(Role.wood, false), (.felt, true)] {
            let contrast = palette.colour(.role(StonesBoard.aim(isFelt: isFelt))).contrast(palette.colour(.role(board)))
            #expect(contrast >= 3, "\(board): \(contrast)")
        }
    }

    @Test(arguments: palettes) func textsAreReadOnEveryWarmth(_ palette: Palette) {
        let ways: [(Role, Role)] = [
            (.hole, .warm), (.card, .warm), (.wood, .glow), (.felt, .glow), (.card, .glow), (.blue, .blue), (.orange, .orange),
        ]
        for (cold, hot) in ways {
            for share in stride(from: 0, through: 1, by: 0.01) {
                let ground = Tint.mix(cold, hot, share)
                let contrast = palette.colour(.on(ground)).contrast(palette.colour(ground))
                #expect(contrast >= 4.5, "\(cold) to \(hot) at \(share): \(contrast)")
            }
        }
    }

    @Test func lightAndDarkDiffer() {
        let same = Role.allCases.filter { Palette.light.colour(.role($0)) == Palette.dark.colour(.role($0)) }
        #expect(same.count < Role.allCases.count / 2 + 6)
        for role in [Role.paper, .card, .ink, .line, .accent, .frame, .edge, .wood, .woodLine, .forbidden] {
            #expect(!same.contains(role))
        }
    }

    @Test(arguments: [("values", Palette.light), ("values-night", .dark)])
    func theColoursAreAndroids(_ folder: String, _ palette: Palette) throws {
        let names: [Role: String] = [
            .woodLine: "wood_line", .feltLine: "felt_line", .winRing: "win_ring", .lightText: "light_text",
        ]
        let file = Fixtures.root.appending(path: "apps/android/app/src/main/res/\(folder)/colors.xml")
        let xml = try String(contentsOf: file, encoding: .utf8)
        var seen = 0
        for role in Role.allCases {
            let entry = "<color name=\"\(names[role] ?? role.rawValue)\">#"
            guard let start = xml.range(of: entry)?.upperBound else { continue }
            let number = try #require(Int(xml[start...].prefix(6), radix: 16))
            #expect(palette.colour(.role(role)) == Colour(number), "\(role)")
            seen += 1
        }
        #expect(seen == (folder == "values" ? 20 : 12))
    }

    @Test func contrastIsWcags() {
        #expect(Colour(0).contrast(Colour(0xffffff)) == 21)
        #expect(abs(Colour(0x777777).contrast(Colour(0xffffff)) - 4.48) < 0.01)
        #expect(Colour(0x123456).contrast(Colour(0x123456)) == 1)
    }
}

extension Colour {
    /// What is seen where this colour lies on an opaque one.
    fileprivate func over(_ ground: Colour) -> Colour { ground.mix(with: self, opacity) }
}
