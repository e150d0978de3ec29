enum StationText {
  /// True if the line is `[[station]]`. A comment may follow.
  static func isHeader(_ line: some Sequence<UInt8>) -> Bool {
    let ink = line.lazy.filter { $0 > 0x20 }.prefix(12)
    let words = Array(ink)
    return words.starts(with: "[[station]]".utf8) && (words.count == 11 || words[11] == UInt8(ascii: "#"))
  }

  /// Returns a station's table, without a final line feed.
  static func table(_ station: StationSettings) -> String {
    var lines = ["[[station]]"]
    func add(_ key: String, _ value: String?) { if let value { lines.append("\(key) = \(value)") } }
    add("name", quoted(station.name))
    add("url", quoted(station.url.unredacted))
    if station.mode != .automatic { add(station.mode == .live ? "live" : "file", "true") }
    add("type", station.type.map { quoted($0.rawValue) })
    add("user", station.user.map(quoted))
    add("user_agent", station.userAgent.map(quoted))
    add("headers", list(station.headers))
    add("query", list(station.query))
    add("max_bitrate", station.maxBitRate.map { "\($0)" })
    add("meta_encoding", station.metadataEncoding.map(quoted))
    add("xml_meta_url", station.xmlMetadataURL.map { quoted($0.unredacted) })
    add("xml_delay", station.xmlDelay.map(\.plain))
    add("station_time_zone", station.stationTimeZone.map(quoted))
    add("live365_meta_url", station.live365MetadataURL.map { quoted($0.unredacted) })
    add("audiocast", station.usesAudioCast.map { $0 ? "true" : "false" })
    add("directory_id", station.directoryID.map(quoted))
    add("from_directory", station.isFromDirectory ? "true" : nil)
    add("alternatives", array(station.alternatives.map(alternative)))
    add("fallback", station.fallback.map { list($0) ?? "[]" })
    add("dead_air_db", station.deadAirDecibels.map(\.plain))
    add("dead_air_s", station.deadAirSeconds.map(\.plain))
    add("talk", station.isTalk.map { $0 ? "true" : "false" })
    add("gain", station.gain.map(\.plain))
    add("drift", station.drift.map { $0 ? "true" : "false" })
    return lines.joined(separator: "\n")
  }

  /// Converts typed values to TOML. This method accepts invalid values; the reader refuses them later.
  static func literal(_ values: [String], for key: String) -> String {
    switch key {
    case "headers", "query", "alternatives", "fallback": return list(values) ?? "[]"
    case "live", "file", "audiocast", "from_directory", "drift", "talk":
      if values == ["true"] || values == ["false"] { return values[0] }
    case "gain", "xml_delay", "max_bitrate", "dead_air_db", "dead_air_s":
      if values.count == 1, let number = Double(values[0]), number.isFinite { return number.plain }
    default: break
    }
    return values.count == 1 ? quoted(values[0]) : list(values) ?? "[]"
  }

  private static func alternative(_ alternative: StationAlternative) -> String {
    let url = quoted(alternative.url.unredacted)
    let parts = [
      ("user", alternative.user.map(quoted)), ("headers", list(alternative.headers)),
      ("query", list(alternative.query)),
    ].compactMap { key, value in value.map { "\(key) = \($0)" } }
    return parts.isEmpty ? url : "{ " + (["url = \(url)"] + parts).joined(separator: ", ") + " }"
  }

  private static func list(_ texts: [String]) -> String? { array(texts.map(quoted)) }

  private static func array(_ values: [String]) -> String? {
    values.isEmpty ? nil : "[" + values.joined(separator: ", ") + "]"
  }

  /// A basic string (TOML 1.0, "String").
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..."\u{1F}", "\u{7F}": quoted += "\\u" + hex(scalar.value)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
