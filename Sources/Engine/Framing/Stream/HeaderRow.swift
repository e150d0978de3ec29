/// The matching headers that must follow a packet before its codec is believed. Programs, fonts and other codecs
/// contain many pairs of false headers. Layer I has short packets, and free format allows any length, so both need a
/// longer row.
struct HeaderRow: BitwiseCopyable {
  /// Number of matching headers after the first.
  let links: Int
  /// Minimum number of these headers if the end of the stream or many bytes complete the row.
  let minLinks: Int
  private let comparesChannels: Bool

  /// Bytes of matching packets that complete a row. A longer row of long packets would not fit into the framer's
  /// buffer.
  static let enoughByteCount = 10_000

  /// A row at a place where a packet must start: the start of a stream, after a tag, or after a packet.
  static var atBorder: HeaderRow { HeaderRow(links: 2, minLinks: 0, comparesChannels: false) }

  /// A row that only suggests audio: the framer decides later by a longer one.
  static func sniffed(_ header: PacketHeader) -> HeaderRow {
    HeaderRow(links: header.byteCount == nil ? 4 : 2, minLinks: 2, comparesChannels: true)
  }

  /// A row found by a search. `known`: format of the packets before. Nil if no row proves the codec: other codecs
  /// repeat bytes at equal distances, which look like free format of Layer I or II.
  static func searched(_ header: PacketHeader, after known: ProvenFormat?) -> HeaderRow? {
    if let known, known.header.agrees(with: header), known.header.hasSameChannels(as: header) {
      return HeaderRow(links: 2, minLinks: 0, comparesChannels: true)
    }
    guard header.byteCount == nil else {
      return HeaderRow(links: header.format.codec == .mpegLayer1 ? 32 : 4, minLinks: 2, comparesChannels: true)
    }
    guard header.format.codec == .mpegLayer3 else { return nil }
    return HeaderRow(links: 8, minLinks: 3, comparesChannels: true)
  }

  /// Returns true if `header` continues a row that starts with `first`.
  func matches(_ header: PacketHeader, _ first: PacketHeader) -> Bool {
    header.agrees(with: first) && (!comparesChannels || header.hasSameChannels(as: first))
  }
}
