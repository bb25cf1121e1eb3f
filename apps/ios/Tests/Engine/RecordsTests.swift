import AzxEngine
import Foundation
import Support
import Testing

/// Records against records.json: what is read, what is refused with its sentence and its move, what is written.
@Suite struct RecordsTests {
    private func list(_ name: String) throws -> [Json] { try Fixtures.read("records").items(name) }

    /// The positions of a text, which is of the game `playing` where it does not say.
    private func states(_ text: String, _ playing: String? = nil) throws -> [any State] {
        let record = try Record(text)
        return try record.states(try Game.find(record.game ?? playing ?? "").begin(record.settings))
    }

    private func actions(_ states: [any State]) -> [Int] { states.compactMap(\.lastAction) }

    private func settings(_ json: Json) -> Settings {
        (json["settings"].members ?? [:]).compactMapValues { value in
            value.number.map { .number($0) } ?? value.text.map { .text($0) }
        }
    }

    @Test func theLimitsAreThoseOfTheList() throws {
        let limits = try Fixtures.read("records")["limits"]
        #expect(try limits.int("bytes") == RecordLimits.bytes)
        #expect(try limits.int("moves") == RecordLimits.moves)
        #expect(try limits.int("link") == RecordLimits.link)
    }

    @Test func aFileIsReadInTheCharacterSetThatItNames() throws {
        let cases = try list("encoded")
        #expect(!cases.isEmpty)
        for item in cases {
            let digits = Array(try #require(item["bytes"].text).utf8)
            let bytes = stride(from: 0, to: digits.count, by: 2).map { at in
                UInt8(String(decoding: digits[at..<at + 2], as: UTF8.self), radix: 16) ?? 0
            }
            let (read, name) = (try #require(text(of: Data(bytes))), try #require(item["name"].text))
            #if !canImport(Darwin)
                // Foundation knows the other sets on Apple's systems alone.
                let isKnown = ["UTF-8", "ISO-8859-1", "no-such-set"].contains { read.contains("CA[\($0)]") }
                guard isKnown || !read.contains("CA[") else { continue }
            #endif
            #expect(try Record(read).names.first == name, "\(read)")
        }
        #expect(text(of: Data("connect4: 3".utf8) + [0xfc]) == nil)
    }

    @Test func everyGoodTextIsRead() throws {
        let cases = try list("good")
        #expect(cases.count > 20)
        for each in cases {
            let (about, text) = (Comment(rawValue: try each.string("about")), try each.string("text"))
            let record = try Record(text)
            #expect(record.game == each["game"].text, about)
            #expect(record.settings == settings(each), about)
            #expect(record.names == each["names"].list?.compactMap(\.text), about)
            #expect(try record.result == each.string("result"), about)
            #expect(try record.ignored == each.int("ignored"), about)
            #expect(try record.setUp == each.int("set_up"), about)
            #expect(try actions(states(text, each["open"].text)) == each.ints("actions"), about)
        }
    }

    @Test func everyBadTextIsRefusedWithItsSentenceAndItsMove() throws {
        let cases = try list("bad")
        #expect(cases.count > 50)
        for each in cases {
            let about = Comment(rawValue: try each.string("about"))
            let text = String(repeating: try each.string("text"), count: try each.int("times"))
            #expect(about) { try states(text, each["open"].text) } throws: { error in
                guard let refused = error as? RecordError else { return false }
                return refused.kind.rawValue == each["key"].text && refused.move == each["move"].whole
                    && (refused.reason != nil) == (refused.kind == .illegal)
            }
        }
    }

    @Test func aTextIsReadInATimeThatGrowsWithItsLength() throws {
        let blanks = String(repeating: " ", count: RecordLimits.bytes - 50)
        #expect(try actions(states("3\(blanks)3", "connect4")) == [38, 31])
        #expect(try Record("(;GM[1]SZ[9]PB[a\(blanks)b])").names[0] == "a b")
        #expect(try Record(String(repeating: "#", count: RecordLimits.bytes)).moves.count == 1)
    }

    @Test func everyGameIsWrittenAsTheListHasItAndReadAgain() throws {
        for each in try list("written") {
            let game = try Game.find(try each.string("game"))
            var played = [try game.begin(settings(each))]
            for action in try each.ints("actions") { played.append(try played[played.count - 1].apply(action)) }
            let names = each["names"].list?.compactMap(\.text) ?? []
            let written = try WrittenGame(
                game, settings(each), played, resigned: each["resigned"].whole, names: names, dead: each.ints("dead"),
                setUp: each["set_up"].whole ?? 0)
            let texts = [written.line, written.sgf, written.link(try each.string("bundle"))]
            #expect(texts == [each["line"].text, each["sgf"].text, each["link"].text])
            for text in texts.compactMap({ $0 }) { #expect(try actions(states(text)) == each.ints("actions")) }
        }
    }
}
