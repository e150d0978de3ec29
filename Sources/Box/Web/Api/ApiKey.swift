import Framing

/// A key of a request's body or query, with its allowed values.
struct ApiKey {
  enum Kind: Equatable {
    /// Text with a maximum length in bytes.
    case text(Int)
    case number(ClosedRange<Double>)
    case whole(ClosedRange<Int>)
    case flag
    /// Text, or a whole number.
    case station
    /// Text, a number, a Boolean, or a list of texts.
    case any
    case word([String])
  }

  let name: String
  let kind: Kind
  let isNeeded: Bool

  init(_ name: String, _ kind: Kind, isNeeded: Bool = true) {
    (self.name, self.kind, self.isNeeded) = (name, kind, isNeeded)
  }

  private static let maxTextLength = 4_096

  func check(_ value: ApiValue) throws(ApiFault) {
    for word in value.words where word.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      throw .argument("\"\(name)\" contains a control character.")
    }
    let isFit: Bool
    switch (kind, value) {
    case (.text(let most), .text(let text)): isFit = text.utf8.count <= most
    case (.number(let range), .number(let number)): isFit = range.contains(number)
    case (.whole(let range), .number(let number)): isFit = Int(exactly: number).map { range.contains($0) } ?? false
    case (.flag, .flag): isFit = true
    case (.station, .text(let text)): isFit = !text.isEmpty && text.utf8.count <= Self.maxTextLength
    case (.station, .number(let number)): isFit = Int(exactly: number).map { (1...10_000).contains($0) } ?? false
    case (.word(let words), .text(let text)): isFit = words.contains(text)
    case (.any, _): isFit = value.words.reduce(0) { $0 + $1.utf8.count } <= Self.maxTextLength
    default: isFit = false
    }
    if !isFit { throw .argument("\"\(name)\" has to be \(range).") }
  }

  private var range: String {
    switch kind {
    case .text(let most): "text of \(most) bytes at most"
    case .number(let range): "a number from \(ApiValue.plain(range.lowerBound)) to \(ApiValue.plain(range.upperBound))"
    case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .flag: "true or false"
    case .station: "a name, an address, or a number from 1 on"
    case .any: "text, a number, true, false, or a list of texts"
    case .word(let words): words.joined(separator: " or ")
    }
  }
}
