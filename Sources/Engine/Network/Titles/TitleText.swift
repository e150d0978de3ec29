import Framing
import Listings

/// Decodes the bytes of titles into displayable text. Net thread only. Uses the encoding in the station's settings
/// (iconv(3)), otherwise UTF-8 or, if invalid, windows-1252.
struct TitleText {
  private let converter: TextConverter?

  init(encoding: String?) { converter = encoding.flatMap { TextConverter($0) } }

  static func isSupported(_ encoding: String) -> Bool { TextConverter(encoding) != nil }

  /// Returns the title or the mark of an ad in an ICY metadata block; nil if the block has neither.
  func title(in block: Span<UInt8>) -> StationTitle? {
    let fields = IcyMetadata(parsing: block)
    if let ad = fields.ad { return StationTitle(.begin(ad)) }
    guard let place = fields.title else { return nil }
    let sent = decoded(block.extracting(place))
    guard let title = SentTitle(sent) else { return AdMark(sent: sent).map { StationTitle($0) } }
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
