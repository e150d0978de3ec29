import Framing

/// Turns the bytes of titles into text that may be shown; the net thread's.
///
/// In the encoding that the station's settings name (iconv(3)), else as UTF-8 where they are, else as windows-1252.
struct TitleText {
  private let converter: TextConverter?

  init(encoding: String?) { converter = encoding.flatMap { TextConverter($0) } }

  /// Whether iconv(3) knows an encoding, and may be trusted with it.
  static func knows(_ encoding: String) -> Bool { TextConverter(encoding) != nil }

  /// The text of some bytes, without control and direction characters.
  func text(_ bytes: Span<UInt8>) -> String {
    guard let converter else { return DisplayText.clean(MetadataText.decode(bytes)) }
    return DisplayText.clean(String(decoding: converter.utf8(bytes), as: UTF8.self))
  }
}

/// Whether the encoding of titles is one that this machine knows.
public func isKnownMetadataEncoding(_ name: String) -> Bool { TitleText.knows(name) }
