import Units

/// Station facts from the `icy-…` headers of SHOUTcast and Icecast.
public struct IcyHeaders: Equatable, Sendable {
  /// `icy-name`.
  public var name: String?

  /// `icy-genre`.
  public var genre: String?

  /// `icy-url`: the station's home page.
  public var url: String?

  /// `icy-description`.
  public var description: String?

  /// `icy-br`: the announced bit rate, which may be wrong.
  public var bitRate: BitRate?

  /// `icy-metaint`: bytes of audio between two metadata blocks; nil if the stream carries no titles.
  public var metaint: Int?

  /// `icy-pub`: true if the station wants to be listed in directories.
  public var pub: Bool?

  /// Stores one header; the first value of a name wins. `name` omits the prefix "icy-".
  mutating func store(_ name: Substring, _ value: String) {
    switch name {
    case "name": self.name = self.name ?? value
    case "genre": genre = genre ?? value
    case "url": url = url ?? value
    case "description": description = description ?? value
    case "br": bitRate = bitRate ?? Self.bitRate(value)
    case "metaint": metaint = metaint ?? HttpHead.count(value).flatMap { $0 > 0 ? Int($0) : nil }
    case "pub": pub = pub ?? ["1": true, "0": false][value]
    default: break
    }
  }

  /// Parses kbit/s: "128", "128,128" and "128 kbps". A number of five digits or more, such as "128000", is bit/s.
  private static func bitRate(_ value: String) -> BitRate? {
    guard let number = Int(value.prefix { $0.isASCII && $0.isNumber }), number > 0, number < 100_000_000 else {
      return nil
    }
    return BitRate(bitsPerSecond: number < 10_000 ? number * 1000 : number)
  }
}
