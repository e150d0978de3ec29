/// Comments of Vorbis, Opus or FLAC: a vendor string, then "NAME=value" texts (Vorbis I, 5.2), read in pieces.
struct VorbisComments {
  private(set) var tags = StreamTags()
  private var artists: [String] = []
  private var part = Part.vendorLength
  private var kept: [UInt8] = []
  private var rest = numberByteCount
  private var left = 0

  private enum Part { case vendorLength, vendor, count, length, text, over }

  private static let numberByteCount = 4
  /// Maximum number of bytes retained per text; longer texts are pictures.
  private static let mostKept = 4_096
  /// Maximum number of comments, so that a server cannot waste CPU time.
  private static let mostComments = 16_384
  private static let mostValues = 4

  init() {}

  init(_ bytes: Span<UInt8>) { take(bytes) }

  /// Parses the next bytes. Ignores bytes after the comments.
  mutating func take(_ bytes: Span<UInt8>) {
    var place = 0
    while part != .over {
      let count = min(rest, bytes.count - place)
      if part != .vendor {
        for index in place..<place + min(count, Self.mostKept - kept.count) { kept.append(bytes[index]) }
      }
      place += count
      rest -= count
      guard rest == 0 else { return }
      end()
      kept.removeAll(keepingCapacity: true)
    }
  }

  private mutating func end() {
    switch part {
    case .vendorLength: (part, rest) = (.vendor, number)
    case .vendor: (part, rest) = (.count, Self.numberByteCount)
    case .count:
      left = min(number, Self.mostComments)
      beginComment()
    case .length: (part, rest) = (.text, number)
    case .text:
      read()
      left -= 1
      beginComment()
    case .over: break
    }
  }

  private var number: Int {
    var place = 0
    return kept.span.numberLowFirst(Self.numberByteCount, at: &place) ?? 0
  }

  private mutating func beginComment() { (part, rest) = left == 0 ? (.over, 0) : (.length, Self.numberByteCount) }

  private mutating func read() {
    // Do not cut within a UTF-8 character.
    if kept.count == Self.mostKept, let end = kept.lastIndex(where: { $0 & 0xC0 != 0x80 }) {
      kept.removeSubrange(end...)
    }
    let text = kept
    let comment = text.span
    if let title = Self.value("TITLE", comment) {
      tags.title = tags.title ?? title
    } else if let album = Self.value("ALBUM", comment) {
      tags.album = tags.album ?? album
    } else if let artist = Self.value("ARTIST", comment), artists.count < Self.mostValues, !artists.contains(artist) {
      artists.append(artist)
      tags.artist = artists.joined(separator: ", ")
    }
  }

  private static func value(_ name: StaticString, _ comment: Span<UInt8>) -> String? {
    let prefix = "\(name)="
    guard comment.count > prefix.utf8.count else { return nil }
    for (index, byte) in prefix.utf8.enumerated() {
      let isSmall = (0x61...0x7A).contains(comment[index])
      guard (isSmall ? comment[index] & 0xDF : comment[index]) == byte else { return nil }
    }
    let value = MetadataText.decode(comment.extracting(prefix.utf8.count..<comment.count))
    let text = DisplayText.clean(value, characterLimit: 256)
    return text.isEmpty ? nil : text
  }
}
