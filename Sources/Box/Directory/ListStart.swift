/// What the first bytes of a list say that it is.
struct ListStart {
  /// How it is read.
  enum Form {
    case csv, xml
    case other(DirectoryError.Content)
  }

  let form: Form
  /// How many bytes come before it: a byte order mark and white space.
  let skipped: Int

  /// Looks at the first bytes, some hundreds, or all of a short text.
  init(_ bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var start = bytes.starts(with: mark) ? mark.count : 0
    while start < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[start]) { start += 1 }
    skipped = start
    let text = bytes[start...].map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    switch text.first {
    case nil: form = .other(.nothing)
    case UInt8(ascii: "{"), UInt8(ascii: "["): form = .other(.json)
    case UInt8(ascii: "<"): form = Self.isHtml(text) ? .other(.html) : .xml
    case 0x1F where text.dropFirst().first == 0x8B: form = .other(.compressed)
    default: form = .csv
    }
  }

  private static func isHtml(_ text: [UInt8]) -> Bool {
    ["<html", "<!doctype html", "<head", "<body"].contains { text.firstRange(of: $0.utf8) != nil }
  }
}
