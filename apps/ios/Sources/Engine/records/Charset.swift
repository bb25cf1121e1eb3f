/// The text of a record's file, in the character set that its SGF names (CA).

import Foundation

/// Names of character sets are plain, and stand near the beginning.
private let head = 1_000

/// Those in which people write SGF. Foundation has names for some, and Core Foundation numbers for the others.
private let charsets: [String: String.Encoding] = [
    "iso-8859-1": .isoLatin1, "latin1": .isoLatin1, "iso-8859-2": .isoLatin2,
    "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251, "windows-1252": .windowsCP1252,
    "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC, "koi8-r": foundation(0x0A02),
    "gb18030": foundation(0x0632), "gbk": foundation(0x0631), "gb2312": foundation(0x0930),
    "big5": foundation(0x0A03), "euc-kr": foundation(0x0940),
]

/// An encoding by Core Foundation's number.
private func foundation(_ number: UInt) -> String.Encoding { String.Encoding(rawValue: 0x8000_0000 | number) }

/// The text of a file's bytes, in the character set that an SGF names, else in UTF-8. An SGF that is neither is read in
/// ISO 8859-1, the default of SGF; any other file is nil then.
public func text(of bytes: Data) -> String? {
    // Plain signs stay what they are.
    let begin = String(decoding: bytes.prefix(head), as: UTF8.self)
    let isSgf = begin.firstMatch(of: /^\u{feff}?\s*\(/) != nil
    if isSgf, let named = begin.firstMatch(of: /\bCA\s*\[\s*([\w.:\-]+)\s*\]/),
        let charset = charsets[named.1.lowercased()], let text = String(data: bytes, encoding: charset)
    {
        return text
    }
    if let text = String(data: bytes, encoding: .utf8) { return text }
    return isSgf ? String(data: bytes, encoding: .isoLatin1) ?? String(decoding: bytes, as: UTF8.self) : nil
}
