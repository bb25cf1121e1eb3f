/// Black and white stones with shade and shadow.
enum Stones {
    /// The radius of a stone.
    static let radius = 0.47
    private static let rim = radius * 0.05
    /// The opacity of a white stone's black rim: enough to be seen on the wood.
    static let rimOpacity = 0.7

    /// Draw a stone, 1 black or 2 white, around a point; `grown`, 0 to 1, of it on the way to its full size.
    static func draw(_ piece: UInt8, _ at: Point, grown: Double = 1, _ shapes: inout [Shape]) {
        let radius = radius * (0.4 + 0.6 * grown)
        drawShadow(Point(at.x, at.y + radius * 0.1), radius, &shapes)
        let isBlack = piece == 1
        let stops =
            isBlack
            ? [Stop(0, .role(.blackShine)), Stop(0.75, .role(.blackBody))]
            : [Stop(0, .role(.whiteShine)), Stop(1, .role(.whiteBody))]
        // Light falls from the upper left.
        let light = Point(at.x - radius * 0.32, at.y - radius * 0.32)
        let reach = radius * (isBlack ? 1.35 : 1.5)
        shapes.append(.fill(.circle(at, radius: radius), .radial(light, radius: reach, stops)))
        if !isBlack { shapes.ring(at, radius - rim / 2, .fade(.black, rimOpacity), rim) }
    }

    private static func drawShadow(_ at: Point, _ radius: Double, _ shapes: inout [Shape]) {
        let dark = Tint.fade(.black, 0.55)
        let stops = [Stop(0, dark), Stop(0.8, dark), Stop(1, .fade(.black, 0))]
        let reach = radius * 1.14
        shapes.append(.fill(.circle(at, radius: reach), .radial(at, radius: reach, stops)))
    }

    /// Draw a stone that is not there yet.
    static func drawGhost(_ piece: UInt8, _ at: Point, _ shapes: inout [Shape]) {
        shapes.disc(at, radius, piece == 1 ? .fade(.black, 0.55) : .fade(.white, 0.75))
    }
}
