import Framing
import Listings

/// Decodes the bytes of titles into displayable text. Net thread only. Uses the encoding in the station's settings
/// (iconv(3)), otherwise UTF-8 or, if invalid, windows-1252.
struct TitleText {
  private let converter: TextConverter?

  init(encoding: String?) { converter = encoding.flatMap { TextConverter($0) } }

  static func isSupported(_ encoding: String) -> Bool { TextConverter(encoding) != nil }

  /// Returns the title of an ICY metadata block; nil if the block has no title, or only a mark of an ad.
  func title(in block: Span<UInt8>) -> StationTitle? {
    let fields = IcyMetadata(parsing: block)
    guard let place = fields.title, !fields.isAdvertisement else { return nil }
    guard let title = SentTitle(decoded(block.extracting(place))) else { return nil }
    let url = fields.url.map { text(block.extracting($0)) }.flatMap { $0.isEmpty ? nil : $0 }
    return StationTitle(text: DisplayText.clean(title.text), url: url)
  }

  /// Returns the text without control and direction characters.
  func text(_ bytes: Span<UInt8>) -> String {
    DisplayText.clean(decoded(bytes))
  }

  private func decoded(_ bytes: Span<UInt8>) -> String {
    guard let converter else { return MetadataText.decode(bytes) }
    return String(decoding: converter.utf8(bytes), as: UTF8.self)
  }
}

/// Returns true if this machine supports the encoding for titles.
public func isKnownMetadataEncoding(_ name: String) -> Bool { TitleText.isSupported(name) }
