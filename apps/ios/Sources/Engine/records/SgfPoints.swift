/// Points of SGF by the names that the board gives them.

// The boards on which SGF has no point `tt`, so that it is a pass.
private let ttIsPass = 19

/// A property's first value; empty if it is missing.
func firstValue(_ node: Sgf.Node, _ key: String) -> String { stripped(node[key]?[0] ?? "") }

/// The board's name of a point of SGF; the text itself if it is no point, as some programs write H8 for `hh`.
func pointName(_ start: any State, _ point: String) throws -> String {
    let (rows, columns) = (start.board[0], start.board[1])
    let isPass = point.isEmpty || (point == "tt" && columns <= ttIsPass)
    if isPass, start.actions > rows * columns { return try start.label(rows * columns) }
    let at = point.utf8.map { Int($0) - Int(UInt8(ascii: "a")) }
    guard at.count == 2, at.allSatisfy({ 0..<columns ~= $0 }) else { return point }
    return try start.label(at[1] * columns + at[0])
}

/// The names of the points that a property lists, `most` at most: one a value, or a rectangle by two corners, `aa:cc`.
func pointNames(_ start: any State, _ nodes: some Sequence<Sgf.Node>, _ key: String, most: Int) throws -> [String] {
    var names: [String] = []
    for value in nodes.flatMap({ $0[key] ?? [] }).map(stripped) {
        for point in points(value) {
            if names.count == most { return names }
            names.append(try pointName(start, point))
        }
    }
    return names
}

/// The points that a value stands for.
private func points(_ value: String) -> [String] {
    let (signs, letters) = (Array(value.utf8), UInt8(ascii: "a")...UInt8(ascii: "z"))
    let corners = [0, 1, 3, 4]
    guard signs.count == 5, signs[2] == UInt8(ascii: ":"), corners.allSatisfy({ letters ~= signs[$0] }) else { return [value] }
    guard signs[0] <= signs[3], signs[1] <= signs[4] else { return [] }
    return (signs[1]...signs[4]).flatMap { row in
        (signs[0]...signs[3]).map { String(decoding: [$0, row], as: UTF8.self) }
    }
}

private func stripped(_ value: String) -> String { String(decoding: strip(Array(value.utf8)[...]), as: UTF8.self) }
