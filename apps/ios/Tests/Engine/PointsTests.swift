import Support
import Testing

@testable import AzxEngine

/// A hint in points: exact where an end is solved, of Go what playouts tell apart, and nothing where little is known. The page's
/// tests have the same positions.
@Suite struct PointsTests {
    @Test func ofASolvedEndOfDotsAndBoxesItIsWhatEachMoveLoses() throws {
        // Half of the edges are drawn; all but the best moves give boxes away.
        let state = try Fixtures.after(
            "dots_and_boxes", .object(["size": .number(3)]), [0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19])
        let known = Known(state)
        #expect(known.margin != nil)
        let best = try #require(known.left.first)
        let points = try #require(try state.points(of: [best] + known.legal.filter { $0 != best }))
        #expect(points.count == known.legal.count)
        for (action, gained) in points { #expect(gained <= 0 && (gained == 0) == known.left.contains(action)) }
        #expect(points.values.contains { $0 < 0 })
    }

    @Test func ofASolvedEndOfReversiItIsDiscs() throws {
        var state: any State = try Reversi(size: 4)
        // What a person plays who takes the first cell, until eight are empty.
        while Known(state).margin == nil { state = try state.apply(state.legalActions()[0]) }
        let known = Known(state)
        let points = try #require(try state.points(of: known.legal))
        #expect(known.legal.allSatisfy { (points[$0] == 0) == known.left.contains($0) })
    }

    @Test func nothingIsSaidWhileAnEndIsNotSolvedNorInTheOpeningOfGo() throws {
        #expect(try DotsAndBoxes(size: 3).apply(0).points(of: [1, 2]) == nil)
        #expect(try Reversi(size: 8).points(of: [19, 26]) == nil)
        let opening = try [40, 30].reduce(Go(size: 9)) { try $0.apply($1) }
        #expect(try opening.points(of: [41, 31]) == nil)
        #expect(try Connect4().points(of: [35, 36]) == nil)
        #expect(try walls(size: 19).points(of: [0, 1]) == nil)
    }

    @Test func ofGoItIsWhatPlayoutsTellApart() throws {
        let state = try walls(size: 9)
        let (between, home) = (40, 36)
        let points = try #require(try state.points(of: [between, home]))
        #expect(points[between] == 0)
        #expect(try #require(points[home]) < 0)
        #expect(try state.pointsSolved([between, home]) == nil, "nothing is solved there")
        // The other way round it is what is gained.
        #expect(try #require(try state.points(of: [home, between])?[between]) > 0)
        #expect(try state.points(of: [between, between])?[between] == 0)
    }

    /// Black has the fourth column and white the sixth, each with stones behind it; between them nobody has been.
    private func walls(size: Int) throws -> Go {
        let behind = [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (0, 2), (1, 2)]
        let places = (0..<size).map { ($0, 3) } + behind
        let moves = places.enumerated().flatMap { at, place in
            let black = place.0 * size + place.1
            return [black, black + (at < size ? 2 : 6)]
        }
        return try moves.reduce(Go(size: size)) { try $0.apply($1) }
    }
}
