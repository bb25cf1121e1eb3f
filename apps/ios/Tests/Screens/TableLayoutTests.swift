import AzxDrawing
import AzxEngine
import Testing

@testable import AzxScreens

/// The screens that iOS 17 and later run on, and windows beside another app, without bars: points.
private let screens: [(name: String, width: Double, height: Double)] = [
    ("iPhone SE", 375, 603), ("iPhone SE, on its side", 667, 343), ("iPhone 16", 393, 715),
    ("iPhone 16, on its side", 734, 340), ("iPhone 16 Pro Max", 440, 811), ("iPhone 16 Pro Max, on its side", 832, 387),
    ("a narrow window", 320, 930), ("iPad mini", 744, 1059), ("iPad mini, on its side", 1133, 670),
    ("iPad Pro", 1032, 1302), ("iPad Pro, on its side", 1376, 958),
]

@Suite struct TableLayoutTests {
    private static let games = ["connect4", "tictactoe", "dots_and_boxes", "gomoku", "go", "reversi", "hex"]

    private func ratio(_ game: String) throws -> Double {
        let board = try board(Shown(try Game.find(game).begin(), human: 0, last: nil))
        return board.width / board.height
    }

    @Test(arguments: games) func somethingOfEachPartIsSeenOnEveryScreenAtEverySizeOfTexts(game: String) throws {
        let ratio = try ratio(game)
        for screen in screens {
            for text in TextSize.allCases {
                let layout = TableLayout(width: screen.width, height: screen.height, text: text, ratio: ratio)
                let place = "\(game), \(screen.name), \(text): \(layout)"
                #expect(layout.isWide == (screen.width > screen.height), "\(place)")
                #expect(abs(layout.board.width / layout.board.height - ratio) < 1e-9, "\(place)")
                // Half of the shorter side at least: the points of Go are no smaller than they must be.
                #expect(layout.board.width >= min(screen.width, screen.height) * 0.5, "\(place)")
                #expect(layout.controls.height >= TableLayout.least(text), "\(place)")
                let head = layout.headScrolls ? 0 : TableLayout.head(text)
                let below = layout.isWide ? 0 : layout.controls.height
                #expect(layout.board.height + head + below + TableLayout.bar + 2 * TableLayout.gap <= screen.height + 1e-9, "\(place)")
                let beside = layout.isWide ? layout.controls.width + TableLayout.margin : 0
                #expect(layout.board.width + beside + 2 * TableLayout.margin <= screen.width + 1e-9, "\(place)")
            }
        }
    }

    @Test func aPhoneHasTheBoardAsWideAsItIsAndWhoPlaysAboveIt() throws {
        let layout = TableLayout(width: 393, height: 715, text: .large, ratio: 7.0 / 6)
        #expect(!layout.isWide && !layout.headScrolls && !layout.stacksChips)
        #expect(layout.board.width == 361)
        #expect(layout.controls.height >= 214)
    }

    @Test func largeLettersScrollAndTheBoardStays() {
        for text in TextSize.allCases where text.isAccessibility {
            let layout = TableLayout(width: 375, height: 603, text: text, ratio: 1)
            #expect(layout.headScrolls && layout.stacksChips)
            #expect(layout.board.width >= 300)
            #expect(layout.controls.height >= 150)
        }
        #expect(!TextSize.xxxLarge.isAccessibility && TextSize.accessibility1.isAccessibility)
    }

    @Test func aBoardIsNoLargerThanItNeedsToBe() {
        #expect(TableLayout(width: 1376, height: 958, text: .large, ratio: 1).board.width == 640)
    }

    @Test func linesGrowWithTheSizeOfTexts() {
        let sizes = TextSize.allCases
        #expect(sizes.count == 12)
        for (one, next) in zip(sizes, sizes.dropFirst()) {
            #expect(one.headline < next.headline && one.caption <= next.caption)
        }
    }
}
