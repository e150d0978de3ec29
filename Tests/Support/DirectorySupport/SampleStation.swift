/// A fictional station with the columns of radio-browser's list.
public struct SampleStation: Hashable, Sendable {
  /// The UUID.
  public var uuid = ""
  /// The name.
  public var name = ""
  /// The address entered by the owner.
  public var url = ""
  /// The address after redirects and playlists.
  public var resolvedUrl = ""
  /// The address of the website.
  public var homepage = ""
  /// Genres, separated by commas.
  public var tags = ""
  /// The country's name.
  public var country = ""
  /// The country's two-letter code.
  public var countryCode = ""
  /// The region in the country.
  public var state = ""
  /// Languages, separated by commas.
  public var language = ""
  /// Number of votes.
  public var votes = 0
  /// The codec.
  public var codec = "MP3"
  /// Bit rate in kbit/s.
  public var bitRate = 128
  /// True if the station uses HLS.
  public var isHls = false
  /// True if the last check succeeded.
  public var isAlive = true

  /// Creates an empty station.
  public init() {}

  /// All columns in the order of the servers. Unused columns have plausible values.
  public var fields: [(name: String, text: String)] {
    [
      ("changeuuid", String(uuid.reversed())), ("stationuuid", uuid), ("name", name), ("url", url),
      ("url_resolved", resolvedUrl), ("homepage", homepage),
      ("favicon", homepage.isEmpty ? "" : homepage + "favicon.ico"),
      ("tags", tags), ("country", country), ("countrycode", countryCode), ("iso_3166_2", ""), ("state", state),
      ("language", language), ("languagecodes", ""), ("votes", "\(votes)"), ("lastchangetime", "2024-05-01 10:11:12"),
      ("lastchangetime_iso8601", "2024-05-01T10:11:12Z"), ("codec", codec), ("bitrate", "\(bitRate)"),
      ("hls", isHls ? "1" : "0"), ("lastcheckok", isAlive ? "1" : "0"), ("lastchecktime", "2026-01-02 03:04:05"),
      ("clickcount", "\(votes / 7)"), ("clicktrend", "0"), ("ssl_error", "0"), ("geo_lat", ""), ("geo_long", ""),
      ("has_extended_info", "false"),
    ]
  }

  /// The first line of a CSV list.
  public static var csvHeader: String { SampleStation().fields.map(\.name).joined(separator: ",") + "\n" }

  /// The row in a CSV list (RFC 4180).
  public var csv: String {
    fields.map { field in
      let isPlain = !field.text.contains { $0 == "," || $0 == "\"" || $0.isNewline }
      return isPlain
        ? field.text
        : "\""
          + field.text.split(separator: "\"", omittingEmptySubsequences: false)
          .joined(separator: "\"\"") + "\""
    }.joined(separator: ",") + "\n"
  }

  /// The start and the end of an XML list.
  public static let xmlFrame = (start: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<result>\n", end: "</result>\n")

  /// The element in an XML list.
  public var xml: String {
    let attributes = fields.map { field in
      let text = field.text.reduce(into: "") { text, character in
        switch character {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case "\"": text += "&quot;"
        case "\n": text += "&#10;"
        default: text.append(character)
        }
      }
      return "\(field.name)=\"\(text)\""
    }
    return "<station " + attributes.joined(separator: " ") + "/>\n"
  }
}
