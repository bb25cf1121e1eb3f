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
                let layout = TableLayout.of(width: screen.width, height: screen.height, text: text, ratio: ratio)
                let place = "\(game), \(screen.name), \(text): \(layout)"
                #expect(layout.hasTabs == !screen.name.hasPrefix("iPad"), "\(place)")
                #expect(layout.isWide == (screen.width > screen.height), "\(place)")
                #expect(abs(layout.board.width / layout.board.height - ratio) < 1e-9, "\(place)")
                // Half of the shorter side at least: the points of Go are no smaller than they must be.
                #expect(layout.board.width >= min(screen.width, screen.height) * 0.5, "\(place)")
                let beside = layout.isWide ? layout.controls.width + TableLayout.margin : 0
                #expect(layout.board.width + beside + 2 * TableLayout.margin <= screen.width + 1e-9, "\(place)")
                let least = layout.hasTabs ? TableLayout.leastPane(text) : TableLayout.least(text)
                #expect(layout.controls.height >= least, "\(place)")
                for column in columns(layout, text) { #expect(column <= screen.height + 1e-9, "\(place)") }
            }
        }
    }

    @Test(arguments: games) func aReviewHasItsRoomOnEveryScreenAtEverySizeOfTexts(game: String) throws {
        let ratio = try ratio(game)
        for screen in screens {
            for text in TextSize.allCases {
                let layout = TableLayout.of(width: screen.width, height: screen.height, text: text, ratio: ratio, isReview: true)
                let place: Comment = "\(game), \(screen.name), \(text): \(layout)"
                // On its side a phone is hardly higher than that: tabs and buttons count there.
                let around = layout.hasTabs && layout.isWide ? TableLayout.tabs + layout.buttons + 2 * TableLayout.gap : 0
                #expect(layout.controls.height + around >= 240, place)
                #expect(layout.board.width >= min(screen.width, screen.height) * 0.5, place)
                for column in columns(layout, text) { #expect(column <= screen.height + 1e-9, place) }
            }
        }
    }

    /// How high what stands below each other is: beside the board, and with it.
    private func columns(_ layout: TableLayout, _ text: TextSize) -> [Double] {
        let board = TableLayout.bar + TableLayout.gap + layout.board.height
        if !layout.hasTabs {
            let head = layout.headScrolls ? 0 : TableLayout.tableHead(text)
            return [board + TableLayout.gap + head + (layout.isWide ? 0 : layout.controls.height), layout.isWide ? layout.controls.height : 0]
        }
        let head = layout.headScrolls ? 0 : 2 * TableLayout.player(text) + text.headline + 3 * TableLayout.gap
        let sheet = TableLayout.tabs + layout.controls.height + layout.buttons + 2 * TableLayout.gap
        let edges = 2 * TableLayout.gap
        return layout.isWide ? [board + edges, head + sheet + edges] : [board + TableLayout.gap + head + sheet + edges]
    }

    @Test func aPhoneHasBoardPlayersAndButtonsInSightAndUsesAllOfItsHeight() throws {
        let layout = TableLayout.of(width: 393, height: 715, text: .large, ratio: 7.0 / 6)
        #expect(layout.hasTabs && !layout.isWide && !layout.headScrolls && !layout.stacksChips)
        #expect(layout.board.width == 361 && layout.buttons == 44)
        #expect(columns(layout, .large) == [715])
        let small = TableLayout.of(width: 375, height: 603, text: .large, ratio: 1)
        #expect(!small.headScrolls && small.board.width == 303)
        let lying = TableLayout.of(width: 667, height: 343, text: .large, ratio: 1)
        #expect(lying.isWide && !lying.headScrolls && lying.board.width >= 300 && lying.controls.height >= 90)
    }

    @Test func aTurnedPhoneKeepsWhoPlaysInSightAtEverySizeButTheLargest() {
        for text in TextSize.allCases {
            for (width, height) in [(375.0, 603.0), (667, 343), (393, 715), (734, 340)] {
                let layout = TableLayout.of(width: width, height: height, text: text, ratio: 1)
                #expect(layout.headScrolls == text.isAccessibility, "\(width), \(text): \(layout)")
                #expect(layout.buttons >= 44)
            }
        }
    }

    @Test func largeLettersScrollAndTheBoardStays() {
        for text in TextSize.allCases where text.isAccessibility {
            let layout = TableLayout.of(width: 375, height: 603, text: text, ratio: 1)
            #expect(layout.headScrolls && layout.stacksChips)
            #expect(layout.board.width >= 300)
            #expect(layout.controls.height >= 76)
        }
        #expect(!TextSize.xxxLarge.isAccessibility && TextSize.accessibility1.isAccessibility)
    }

    @Test func aTabletHasNoTabsAndItsButtonsScroll() {
        let layout = TableLayout.of(width: 744, height: 1059, text: .large, ratio: 1)
        #expect(!layout.hasTabs && layout.buttons == 0 && layout.controls.height >= 300)
    }

    @Test func aBoardIsNoLargerThanItNeedsToBe() {
        #expect(TableLayout.of(width: 1376, height: 958, text: .large, ratio: 1).board.width == 640)
    }

    @Test func linesGrowWithTheSizeOfTexts() {
        let sizes = TextSize.allCases
        #expect(sizes.count == 12)
        for (one, next) in zip(sizes, sizes.dropFirst()) {
            #expect(one.headline < next.headline && one.caption <= next.caption)
        }
    }
}
