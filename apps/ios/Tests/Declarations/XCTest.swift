// Declarations of the names of XCTest that the app's UI test uses, written from their documentation, for tools/app.sh alone.
// That the sources agree with them says nothing about the real framework. Nothing here does anything.

@_exported import Foundation

/// https://developer.apple.com/documentation/xctest/xctestcase (iOS 9)
open class XCTestCase: NSObject {
    public override init() {}
    open var continueAfterFailure = true
    open func setUp() {}
    public func add(_ attachment: XCTAttachment) {}
}
/// https://developer.apple.com/documentation/xctest/xctattachment (iOS 9)
open class XCTAttachment: NSObject {
    /// https://developer.apple.com/documentation/xctest/xctattachment/lifetime-swift.enum (iOS 9)
    public enum Lifetime: Int, Sendable { case keepAlways, deleteOnSuccess }
    public convenience init(screenshot: XCUIScreenshot) { self.init() }
    open var name: String?
    open var lifetime: Lifetime = .deleteOnSuccess
}
/// https://developer.apple.com/documentation/xctest/xctassert(_:_:file:line:) (iOS 9)
public func XCTAssert(
    _ expression: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String = "", file: StaticString = #filePath,
    line: UInt = #line
) {}
/// https://developer.apple.com/documentation/xctest/xcuiscreenshot (iOS 9)
@MainActor open class XCUIScreenshot: NSObject {}
/// https://developer.apple.com/documentation/xctest/xcuielementtypequeryprovider (iOS 9)
@MainActor public protocol XCUIElementTypeQueryProvider {}
extension XCUIElementTypeQueryProvider {
    public var buttons: XCUIElementQuery { fatalError() }
    public var otherElements: XCUIElementQuery { fatalError() }
    public var navigationBars: XCUIElementQuery { fatalError() }
}
/// https://developer.apple.com/documentation/xctest/xcuielementquery (iOS 9)
@MainActor open class XCUIElementQuery: NSObject, XCUIElementTypeQueryProvider {
    public subscript(key: String) -> XCUIElement { fatalError() }
    open func element(boundBy index: Int) -> XCUIElement { fatalError() }
}
/// https://developer.apple.com/documentation/xctest/xcuielement (iOS 9)
@MainActor open class XCUIElement: NSObject, XCUIElementTypeQueryProvider {
    open var isHittable: Bool { false }
    open var exists: Bool { false }
    open func waitForExistence(timeout: TimeInterval) -> Bool { false }
    open func coordinate(withNormalizedOffset offset: CGVector) -> XCUICoordinate { fatalError() }
    open func screenshot() -> XCUIScreenshot { fatalError() }
    open func tap() {}
    open func swipeUp() {}
    open func swipeDown() {}
}
/// https://developer.apple.com/documentation/xctest/xcuicoordinate (iOS 9)
@MainActor open class XCUICoordinate: NSObject {
    open func tap() {}
}
/// https://developer.apple.com/documentation/xctest/xcuiapplication (iOS 9)
@MainActor open class XCUIApplication: XCUIElement {
    public override init() {}
    open var launchArguments: [String] = []
    open func launch() {}
}
/// https://developer.apple.com/documentation/corefoundation/cgvector (iOS 9)
public struct CGVector {
    public init(dx: CGFloat, dy: CGFloat) {}
}
