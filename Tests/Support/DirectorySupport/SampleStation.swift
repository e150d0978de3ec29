/// A made-up station, with the columns of radio-browser's list.
public struct SampleStation: Hashable, Sendable {
  /// Its number.
  public var uuid = ""
  /// Its name.
  public var name = ""
  /// The address that its owner gave.
  public var url = ""
  /// What that address led to.
  public var resolvedUrl = ""
  /// The address of its pages.
  public var homepage = ""
  /// What it plays, with commas.
  public var tags = ""
  /// The country's name.
  public var country = ""
  /// The country's two letters.
  public var countryCode = ""
  /// The part of the country.
  public var state = ""
  /// Its languages, with commas.
  public var language = ""
  /// How many voted for it.
  public var votes = 0
  /// Its codec.
  public var codec = "MP3"
  /// Kilobits per second.
  public var bitRate = 128
  /// Whether it is HLS.
  public var isHls = false
  /// Whether it answered.
  public var isAlive = true

  /// An empty one.
  public init() {}

  /// All columns as the servers send them, in their order; those that nobody reads have likely texts.
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

  /// Its row in a CSV list (RFC 4180).
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

  /// The beginning and the end of an XML list.
  public static let xmlFrame = (start: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<result>\n", end: "</result>\n")

  /// Its element in an XML list.
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
