import Units

/// The EXTINF of a segment (RFC 8216, 4.3.2.1): "9.98,title".
///
/// Some radio packagers write attributes instead of the title: `title="…",artist="…",url="…"`. Others write attributes
/// between the duration and the comma, which are ignored.
struct SegmentInformation {
  /// The duration, 0 … 3,600 s; 0 if unreadable.
  let duration: StreamTime
  private(set) var title: String?
  private(set) var artist: String?

  /// Parses the value. `isCut`: true if the line was truncated, so the title is unknown.
  init(_ value: ArraySlice<UInt8>, isCut: Bool) {
    let comma = Self.comma(in: value)
    let time = value[..<(comma ?? value.endIndex)].time ?? .zero
    duration = max(.zero, min(Self.maxDuration, time))
    guard let comma, !isCut else { return }
    let words = value[(comma + 1)...].trimmed
    guard !words.isEmpty else { return }
    if Self.isAttributes(words) {
      parseAttributes(AttributeList(words, hasEscapes: true))
    } else {
      title = ListEntry.title(words.decoded[...])
    }
  }

  private mutating func parseAttributes(_ attributes: AttributeList) {
    for attribute in attributes {
      switch attribute.name {
      case "title": title = title ?? ListEntry.title(Self.unescaped(attribute.bytes)[...])
      case "artist": artist = artist ?? ListEntry.title(Self.unescaped(attribute.bytes)[...])
      default: break
      }
    }
  }

  /// Returns the comma after the duration: the first outside quotes, otherwise the first comma.
  private static func comma(in value: ArraySlice<UInt8>) -> Int? {
    var isQuoted = false
    for place in value.indices {
      switch value[place] {
      case UInt8(ascii: ",") where !isQuoted: return place
      case UInt8(ascii: "\""): isQuoted.toggle()
      default: break
      }
    }
    return value.firstIndex(of: UInt8(ascii: ","))
  }

  /// Returns true if the text starts like `name="`.
  private static func isAttributes(_ words: ArraySlice<UInt8>) -> Bool {
    let name = words.prefix { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte.asciiLowercased || byte == UInt8(ascii: "_")
    }
    return !name.isEmpty && words[name.endIndex...].starts(with: "=\"".utf8)
  }

  /// Removes the backslash before each escaped byte. For ICY's `text="…"`, returns only the words in quotes.
  private static func unescaped(_ value: ArraySlice<UInt8>) -> String {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in value {
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      if !isEscaped { bytes.append(byte) }
    }
    let words = bytes[...].trimmed
    guard words.begins(anyCase: "text=\"") else { return words.decoded }
    return words.dropFirst(6).prefix { $0 != UInt8(ascii: "\"") }.decoded
  }

  private static let maxDuration = StreamTime(seconds: 3_600)
}
