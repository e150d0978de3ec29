/// The format of a list, detected from its first bytes.
struct ListStart {
  enum Form {
    case csv, xml
    case other(DirectoryError.Content)
  }

  let form: Form
  /// Number of bytes to skip before the list: a byte order mark and white space.
  let skipped: Int

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
