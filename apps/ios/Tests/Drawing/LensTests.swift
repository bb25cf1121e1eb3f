@testable import AzxDrawing
import AzxEngine
import Testing

/// What a finger hides on a board whose points are small.
@Suite struct LensTests {
    private func lens(
        _ size: Int, spot: Int, width: Double = 390, above: Double = 200
    ) throws -> (lens: Lens?, fit: Fit, board: any Board) {
        let board = try AzxDrawing.board(Shown(try Go(size: size), human: 0, last: nil))
        let fit = Fit(board, width: width, height: width, pixels: 3)
        let finger = fit.place(board.frame(of: spot)).centre
        return (Lens(board, fit, spot: spot, finger: finger, width: width, above: above), fit, board)
    }

    @Test func onlyABoardWithSmallPointsHasOne() throws {
        #expect(try lens(9, spot: 40).lens == nil)
        #expect(try lens(19, spot: 180).lens != nil)
        #expect(try lens(19, spot: 180, width: 820).lens == nil)
    }

    /// The point that is meant lies in the middle, large enough to be seen.
    @Test(arguments: [0, 18, 180, 342, 360]) func thePointIsInTheMiddleAndLarge(_ spot: Int) throws {
        let (found, fit, board) = try lens(19, spot: spot)
        let lens = try #require(found)
        let middle = lens.fit.place(board.frame(of: spot)).centre
        #expect(abs(middle.x - Lens.radius) < 1e-9 && abs(middle.y - Lens.radius) < 1e-9)
        #expect(lens.fit.scale.unit >= 44 && lens.fit.scale.unit >= 1.5 * fit.scale.unit)
        #expect(lens.centre.x >= Lens.radius && lens.centre.x <= 390 - Lens.radius)
    }

    @Test func itIsAboveTheFingerOrBesideItWhereThereIsNoRoom() throws {
        let (above, fit, board) = try lens(19, spot: 9)
        let finger = fit.place(board.frame(of: 9)).centre
        #expect(try #require(above).centre.y == finger.y - 100)
        for (spot, isLeft, room) in [(1, false, 0.0), (17, true, 0), (1, false, 120), (17, true, 120)] {
            let (found, fit, board) = try lens(19, spot: spot, above: room)
            let (lens, finger) = (try #require(found), fit.place(board.frame(of: spot)).centre)
            #expect(lens.centre.y == Lens.radius - room, "it does not leave the screen")
            #expect((lens.centre.x < finger.x) == isLeft)
            #expect(abs(lens.centre.x - finger.x) > Lens.radius, "the finger does not hide it")
        }
    }

    @Test(arguments: 0..<19) func noPointOfTheUppermostRowIsHiddenByTheFinger(_ spot: Int) throws {
        let (found, fit, board) = try lens(19, spot: spot, above: 0)
        let (lens, finger) = (try #require(found), fit.place(board.frame(of: spot)).centre)
        #expect(abs(lens.centre.x - finger.x) > Lens.radius)
        #expect(Lens.radius...390 - Lens.radius ~= lens.centre.x)
    }
}
