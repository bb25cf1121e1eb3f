import XCTest

/// Walks through every screen of the app and saves its picture: what a view looks like, nobody can tell without a Mac. What
/// has to be seen and reached on each is held to, too.
final class PicturesTests: XCTestCase {
    /// The usual size of texts, and one for people who see badly.
    private static let sizes = ["L": "UICTContentSizeCategoryL", "AX3": "UICTContentSizeCategoryAccessibilityXL"]

    override func setUp() { continueAfterFailure = true }

    @MainActor func testEveryScreenAtTheUsualSizeOfTexts() { walk("L") }

    @MainActor func testEveryScreenWithLargeTexts() { walk("AX3") }

    @MainActor private func walk(_ size: String) {
        let app = XCUIApplication()
        app.launchArguments = [
            "-AppleLanguages", "(en)", "-AppleLocale", "en_US", "-UIPreferredContentSizeCategoryName", Self.sizes[size] ?? "",
        ]
        app.launch()
        XCTAssert(app.buttons["more"].waitForExistence(timeout: 30), "the list has no menu")
        save(app, "games", size)
        for game in ["connect4", "tictactoe", "dots_and_boxes", "gomoku", "go"] { board(app, game, size) }
        selfTest(app, size)
        people(app, size)
        for text in ["Library", "Open a game", "Open a bundle", "App settings"] { menu(app, text, size) }
    }

    /// A board after a move, with its controls in reach; and the replay.
    @MainActor private func board(_ app: XCUIApplication, _ game: String, _ size: String) {
        reach(app.buttons["play \(game)"], app).tap()
        let board = app.otherElements["board"]
        XCTAssert(board.waitForExistence(timeout: 60), "\(game) has no board")
        board.coordinate(withNormalizedOffset: CGVector(dx: 0.5, dy: 0.45)).tap()
        save(app, "board of \(game)", size)
        XCTAssert(reach(app.buttons["Undo"], app).isHittable, "Undo of \(game) is out of reach")
        save(app, "controls of \(game)", size)
        // A phone has tabs.
        for tab in ["Analysis", "Game", "Moves"] where app.buttons[tab].exists {
            app.buttons[tab].tap()
            save(app, "\(tab) of \(game)", size)
        }
        reach(app.buttons["New game"], app).tap()
        save(app, "new game of \(game)", size)
        XCTAssert(reach(app.buttons["Cancel"], app).isHittable, "the question for a new game cannot be left")
        app.buttons["Cancel"].tap()
        back(app)
    }

    @MainActor private func selfTest(_ app: XCUIApplication, _ size: String) {
        reach(app.buttons["test tictactoe"], app).tap()
        save(app, "self-test", size)
        back(app)
    }

    /// Two people's terms, which the list offers without a menu.
    @MainActor private func people(_ app: XCUIApplication, _ size: String) {
        reach(app.buttons["people"], app).tap()
        save(app, "two people", size)
        back(app)
    }

    @MainActor private func menu(_ app: XCUIApplication, _ text: String, _ size: String) {
        app.buttons["more"].tap()
        let item = app.buttons[text]
        XCTAssert(item.waitForExistence(timeout: 10), "the menu has no \(text)")
        if text == "App settings" { save(app, "menu", size) }
        item.tap()
        save(app, text, size)
        if text == "App settings" { about(app, size) }
        back(app)
    }

    /// The version, privacy and licences, behind a row of the settings.
    @MainActor private func about(_ app: XCUIApplication, _ size: String) {
        reach(app.buttons["About this app"], app).tap()
        save(app, "about", size)
        back(app)
    }

    /// Scroll until something can be tapped.
    @MainActor private func reach(_ element: XCUIElement, _ app: XCUIApplication) -> XCUIElement {
        _ = element.waitForExistence(timeout: 10)
        for _ in 0..<8 where !element.isHittable { app.swipeUp() }
        for _ in 0..<8 where !element.isHittable { app.swipeDown() }
        return element
    }

    @MainActor private func back(_ app: XCUIApplication) { app.navigationBars.buttons.element(boundBy: 0).tap() }

    @MainActor private func save(_ app: XCUIApplication, _ name: String, _ size: String) {
        let picture = XCTAttachment(screenshot: app.screenshot())
        picture.name = "\(name), \(size)"
        picture.lifetime = .keepAlways
        add(picture)
    }
}
