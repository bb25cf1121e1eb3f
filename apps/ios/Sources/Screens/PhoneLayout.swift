/// A table on a phone: the board, a line for each player, the headline and a line of buttons stay in sight. Tabs divide the long
/// parts, which scroll.
extension TableLayout {
    /// A screen whose shorter side has fewer points is a phone's, or a narrow window.
    static let leastTable = 500.0
    /// The height of the system's segmented control, which does not grow with the text size.
    static let tabs = 32.0

    static func phone(width: Double, height: Double, text: TextSize, ratio: Double, isReview: Bool) -> TableLayout {
        let isWide = width > height
        let column = min(mostControls, width * (text.isAccessibility ? 0.5 : 0.45))
        let most = (isWide ? width - column - margin : width) - 2 * margin
        // Each part has a gap below it, and the first one has a gap above it.
        let (fixed, head) = (gap + tabs + gap + buttons(text) + gap, phoneHead(text))
        let least = isReview ? max(leastReview, leastPane(text)) : leastPane(text)
        let above = gap + bar + gap
        let spare = height - above - gap - (isWide ? 0 : fixed + least)
        let wanted = most / ratio
        let isNarrow = isWide ? height - fixed - head - gap < least : spare - head < min(wanted, spare) * 0.7
        let headScrolls = text.isAccessibility || isNarrow
        let tallest = max(0, min(wanted, isWide || headScrolls ? spare : spare - head))
        let taken = (isWide ? 0 : bar + gap + tallest + gap) + fixed + (headScrolls ? 0 : head)
        let pane = Extent(width: isWide ? column : width, height: height - taken - gap)
        return TableLayout(
            hasTabs: true, isWide: isWide, headScrolls: headScrolls, stacksChips: text.isAccessibility,
            board: Extent(width: tallest * ratio, height: tallest), controls: pane, buttons: buttons(text))
    }

    /// The height of a player's line.
    static func player(_ text: TextSize) -> Double { max(28, text.headline) + gap }

    /// Both players and a line of headline, each with its gap.
    static func phoneHead(_ text: TextSize) -> Double { 2 * (player(text) + gap) + text.headline + gap }

    /// The height of the line of buttons, large enough for a finger.
    static func buttons(_ text: TextSize) -> Double { max(44, text.headline + 22) }

    /// Two lines of a tab, which show that more follows.
    static func leastPane(_ text: TextSize) -> Double { 2 * text.headline + gap }
}
