/// The layout of a table on a screen; views only apply it.

/// The text sizes of Dynamic Type, the smallest first.
public enum TextSize: Int, CaseIterable, Comparable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5

    public static func < (one: TextSize, other: TextSize) -> Bool { one.rawValue < other.rawValue }

    public var isAccessibility: Bool { self >= .accessibility1 }

    // Points from line to line, of https://developer.apple.com/design/human-interface-guidelines/typography
    // ("Specifications", iOS and iPadOS).

    /// A line of the headline style, which is the body's.
    public var headline: Double { [19, 20, 21, 22, 24, 26, 29, 34, 40, 48, 56, 62][rawValue] }
    /// A line of the style caption 1.
    public var caption: Double { [13, 13, 13, 16, 19, 21, 23, 28, 32, 39, 44, 51][rawValue] }
}

/// A width and a height in points.
public struct Extent: Equatable, Sendable {
    public let width: Double
    public let height: Double
}

/// How a table fills a screen: the board with its bar, the players and the headline above it, and the controls, which scroll. On a
/// phone (PhoneLayout.swift) the buttons stay, and tabs divide the rest.
///
/// The board never scrolls, as a dragged finger looks for its move there. It gets the room that the controls can spare, so that a part
/// of them is always in sight. If large letters leave too little room, players and headline scroll too.
public struct TableLayout: Equatable, Sendable {
    public static let margin = 16.0
    public static let gap = 8.0
    /// The height of the evaluation bar.
    public static let bar = 6.0
    /// The largest side of a board: a larger one is not easier to see.
    static let mostBoard = 640.0
    static let mostControls = 360.0

    /// Whether tabs divide the long parts, and the buttons stay in sight.
    public let hasTabs: Bool
    /// Whether the controls are beside the board, not below it.
    public let isWide: Bool
    /// Whether the players and the headline scroll with the controls instead of standing above the board.
    public let headScrolls: Bool
    /// Whether the players' bars are below each other.
    public let stacksChips: Bool
    public let board: Extent
    /// The room for the controls; with tabs, the room in which each tab scrolls.
    public let controls: Extent
    /// The height of the line of buttons that stays in sight; 0 if the buttons scroll.
    public let buttons: Double

    /// The least height in which a review scrolls; on a phone on its side this includes tabs and buttons.
    public static let leastReview = 240.0

    /// The layout of a screen of `width` by `height` points; `ratio` is the board's width in its heights. In a review the
    /// controls get more room.
    public static func of(width: Double, height: Double, text: TextSize, ratio: Double, isReview: Bool = false) -> TableLayout {
        if min(width, height) >= leastTable {
            return tablet(width: width, height: height, text: text, ratio: ratio, isReview: isReview)
        }
        return phone(width: width, height: height, text: text, ratio: ratio, isReview: isReview)
    }

    private static func tablet(width: Double, height: Double, text: TextSize, ratio: Double, isReview: Bool) -> TableLayout {
        let (isWide, head) = (width > height, tableHead(text))
        let column = min(mostControls, width * (text.isAccessibility ? 0.5 : 0.45))
        let most = min(mostBoard, (isWide ? width - column - margin : width) - 2 * margin)
        // What the board would like, and what the controls can spare of the height, without the head and with it.
        let wanted = most / ratio
        let least = max(least(text), height * 0.3, isReview ? leastReview : 0)
        let spare = (isWide ? height - gap : height - least) - gap - bar - gap
        let headScrolls = text.isAccessibility || spare - head < min(wanted, spare) * 0.7
        let tallest = max(0, min(wanted, headScrolls ? spare : spare - head))
        let above = tallest + gap + bar + gap + (headScrolls ? 0 : head)
        let controls = Extent(width: isWide ? column : width, height: isWide ? height : height - above)
        return TableLayout(
            hasTabs: false, isWide: isWide, headScrolls: headScrolls, stacksChips: text.isAccessibility,
            board: Extent(width: tallest * ratio, height: tallest), controls: controls, buttons: 0)
    }

    /// The largest height above the board: players' bars of a name, two lines of details, a count and a mark; then two lines of
    /// headline.
    static func tableHead(_ text: TextSize) -> Double { 3 * text.headline + 4 * text.caption + 16 + 2 * gap }

    /// A row of buttons and half of the next one, which shows that more follows.
    static func least(_ text: TextSize) -> Double { 1.5 * (text.headline + 22) + margin }
}
