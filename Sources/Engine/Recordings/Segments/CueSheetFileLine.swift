import Framing

/// The first line of a cue sheet that names the audio file.
struct CueSheetFileLine {
  /// The name between the quotes.
  let name: String
  /// The place of the name and its quotes, in bytes.
  private let range: Range<Int>

  /// Bytes at the start of a sheet that are searched.
  private static let maxByteCount = 16_384

  /// Nil if no line at the start of the sheet names a file in quotes.
  init?(in sheet: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let head = sheet.prefix(Self.maxByteCount)
    for line in head.split(separator: UInt8(ascii: "\n")) where line.starts(with: "FILE \"".utf8) {
      guard let first = line.firstIndex(of: quote), let last = line.lastIndex(of: quote), first < last else { continue }
      range = first..<last + 1
      name = String(decoding: sheet[first + 1..<last], as: UTF8.self)
      return
    }
    return nil
  }

  /// True if the line names this file, in the form that a recording writes.
  func names(_ file: String) -> Bool { "\"\(name)\"" == CueSheet.quoted(file) }

  /// Returns the sheet with another name in this line.
  func replaced(in sheet: [UInt8], with file: String) -> [UInt8] {
    Array(sheet[..<range.lowerBound]) + Array(CueSheet.quoted(file).utf8) + Array(sheet[range.upperBound...])
  }
}
