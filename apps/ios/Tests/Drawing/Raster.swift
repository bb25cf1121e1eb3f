#if canImport(Glibc)
import Foundation
import Glibc

/// Makes pixels of SVG images: librsvg's command in the folder with Debian, and the libraries that it stands on. They are
/// asked by name as the program runs: nobody but these tests needs them, and where they are not, the tests are left out.
struct Raster {
    private static let command = "/usr/bin/rsvg-convert"
    private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"

    private let cairo: Cairo
    let zlib: Zlib

    /// Nil if there is nothing that draws, or not with the letters that the golden pictures have.
    init?() {
        let files = FileManager.default
        guard files.isExecutableFile(atPath: Self.command), files.fileExists(atPath: Self.font),
            let cairo = Cairo(), let zlib = Zlib()
        else { return nil }
        (self.cairo, self.zlib) = (cairo, zlib)
    }

    /// An image with so many pixels a point.
    func pixels(_ svg: String, zoom: Double) throws -> Pixels {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (image, picture) = (folder.appending(path: "board.svg"), folder.appending(path: "board.png"))
        try svg.write(to: image, atomically: false, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.command)
        process.arguments = ["--zoom", String(zoom), image.path, "--output", picture.path]
        try process.run()
        process.waitUntilExit()
        return try read(picture)
    }

    /// The pixels of a PNG file.
    func read(_ png: URL) throws -> Pixels {
        guard let pixels = cairo.read(png.path) else { throw CocoaError(.fileReadCorruptFile) }
        return pixels
    }
}

/// A function of a library that is there as the program runs.
private func function<Kind>(_ name: String, of library: UnsafeMutableRawPointer, _: Kind.Type) -> Kind? {
    dlsym(library, name).map { unsafeBitCast($0, to: Kind.self) }
}

/// What Cairo reads PNG files with.
private struct Cairo {
    private typealias Open = @convention(c) (UnsafePointer<CChar>) -> OpaquePointer?
    private typealias Data = @convention(c) (OpaquePointer?) -> UnsafePointer<UInt8>?
    private typealias Measure = @convention(c) (OpaquePointer?) -> CInt
    private typealias Close = @convention(c) (OpaquePointer?) -> Void

    private let open: Open
    private let data: Data
    private let width: Measure
    private let height: Measure
    private let stride: Measure
    private let close: Close

    init?() {
        guard let library = dlopen("libcairo.so.2", RTLD_NOW),
            let open = function("cairo_image_surface_create_from_png", of: library, Open.self),
            let data = function("cairo_image_surface_get_data", of: library, Data.self),
            let width = function("cairo_image_surface_get_width", of: library, Measure.self),
            let height = function("cairo_image_surface_get_height", of: library, Measure.self),
            let stride = function("cairo_image_surface_get_stride", of: library, Measure.self),
            let close = function("cairo_surface_destroy", of: library, Close.self)
        else { return nil }
        (self.open, self.data, self.close) = (open, data, close)
        (self.width, self.height, self.stride) = (width, height, stride)
    }

    /// The pixels of a file, which Cairo keeps as blue, green, red and one more byte; nil if it is no picture.
    func read(_ path: String) -> Pixels? {
        let surface = open(path)
        defer { close(surface) }
        guard let data = data(surface) else { return nil }
        let (width, height, stride) = (Int(width(surface)), Int(height(surface)), Int(stride(surface)))
        var colours: [UInt32] = []
        colours.reserveCapacity(width * height)
        for row in 0..<height {
            for column in 0..<width {
                let at = row * stride + 4 * column
                colours.append(UInt32(data[at + 2]) << 16 | UInt32(data[at + 1]) << 8 | UInt32(data[at]))
            }
        }
        return Pixels(width: width, height: height, colours: colours)
    }
}

/// What zlib packs PNG files with.
struct Zlib {
    private typealias Compress = @convention(c) (
        UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<CUnsignedLong>, UnsafePointer<UInt8>, CUnsignedLong, CInt
    ) -> CInt
    private typealias Crc = @convention(c) (CUnsignedLong, UnsafePointer<UInt8>, CUnsignedInt) -> CUnsignedLong

    private let compress: Compress
    private let crc32: Crc

    init?() {
        guard let library = dlopen("libz.so.1", RTLD_NOW),
            let compress = function("compress2", of: library, Compress.self),
            let crc32 = function("crc32", of: library, Crc.self)
        else { return nil }
        (self.compress, self.crc32) = (compress, crc32)
    }

    func compress(_ data: Data) -> Data {
        var packed = [UInt8](repeating: 0, count: data.count + data.count / 1000 + 64)
        var length = CUnsignedLong(packed.count)
        let code = compress(&packed, &length, [UInt8](data), CUnsignedLong(data.count), 9)
        precondition(code == 0)
        return Data(packed.prefix(Int(length)))
    }

    func crc(_ data: Data) -> UInt32 { UInt32(crc32(0, [UInt8](data), CUnsignedInt(data.count))) }
}
#endif
