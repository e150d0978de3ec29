/// Comments of Vorbis, Opus or FLAC: a vendor string, then "NAME=value" texts (Vorbis I, 5.2), read in pieces.
struct VorbisComments {
  private(set) var tags = StreamTags()
  private var artists: [String] = []
  private var part = Part.vendorLength
  private var retained: [UInt8] = []
  private var rest = numberByteCount
  private var remainingCount = 0

  private enum Part { case vendorLength, vendor, count, length, text, over }

  private static let numberByteCount = 4
  /// Maximum number of bytes retained per text; longer texts are pictures.
  private static let maxRetainedBytes = 4_096
  /// Maximum number of comments, so that a server cannot waste CPU time.
  private static let maxCommentCount = 16_384
  private static let maxArtistCount = 4

  init() {}

  init(_ bytes: Span<UInt8>) { process(bytes) }

  mutating func process(_ bytes: Span<UInt8>) {
    var place = 0
    while part != .over {
      let count = min(rest, bytes.count - place)
      if part != .vendor {
        for index in place..<place + min(count, Self.maxRetainedBytes - retained.count) {
          retained.append(bytes[index])
        }
      }
      place += count
      rest -= count
      guard rest == 0 else { return }
      end()
      retained.removeAll(keepingCapacity: true)
    }
  }

  private mutating func end() {
    switch part {
    case .vendorLength: (part, rest) = (.vendor, number)
    case .vendor: (part, rest) = (.count, Self.numberByteCount)
    case .count:
      remainingCount = min(number, Self.maxCommentCount)
      beginComment()
    case .length: (part, rest) = (.text, number)
    case .text:
      read()
      remainingCount -= 1
      beginComment()
    case .over: break
    }
  }

  private var number: Int {
    var place = 0
    return retained.span.littleEndianNumber(Self.numberByteCount, at: &place) ?? 0
  }

  private mutating func beginComment() {
    (part, rest) = remainingCount == 0 ? (.over, 0) : (.length, Self.numberByteCount)
  }

  private mutating func read() {
    // Do not cut within a UTF-8 character.
    if retained.count == Self.maxRetainedBytes, let end = retained.lastIndex(where: { $0 & 0xC0 != 0x80 }) {
      retained.removeSubrange(end...)
    }
    let text = retained
    let comment = text.span
    if let title = Self.value("TITLE", comment) {
      tags.title = tags.title ?? title
    } else if let album = Self.value("ALBUM", comment) {
      tags.album = tags.album ?? album
    } else if let artist = Self.value("ARTIST", comment), artists.count < Self.maxArtistCount, !artists.contains(artist)
    {
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
