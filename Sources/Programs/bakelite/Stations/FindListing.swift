import Directory
import Framing
import RadioEngine

enum FindListing {
  /// Returns a table of at most `width` columns: number, name, country, format, votes, tags. The least important
  /// columns shrink first.
  static func table(_ stations: [DirectoryEntry], width: Int) -> [String] {
    let numbers = String(stations.count).count
    let sounds = min(14, stations.map { TextColumns.count(sound($0)) }.max() ?? 0)
    let votes = stations.map { String($0.votes).count }.max() ?? 0
    let fixed = numbers + 2 + 2 + 2 + sounds + 2 + votes
    let longest = stations.map { TextColumns.count(clean($0.name)) }.max() ?? 0
    // On a narrow terminal the name uses all columns after the number.
    guard width >= fixed + 2 + minNameWidth else {
      return stations.enumerated().map { place, station in
        TextColumns.cut(number(place, numbers) + "  " + clean(station.name), to: width)
      }
    }
    let room = width - fixed - 2
    let name = min(longest, max(minNameWidth, room * 3 / 5))
    let tags = room - name - 2
    return stations.enumerated().map { place, station in
      var line = number(place, numbers) + "  " + TextColumns.fit(clean(station.name), to: name) + "  "
      line += TextColumns.fit(station.countryCode, to: 2) + "  " + TextColumns.fit(sound(station), to: sounds) + "  "
      let count = String(station.votes)
      line += String(repeating: " ", count: votes - count.count) + count
      if tags >= minTagsWidth { line += "  " + TextColumns.cut(clean(station.tags.joined(separator: ", ")), to: tags) }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// Returns a line with tab-separated fields: number, name, country, codec, bit rate, votes, tags.
  static func line(_ station: DirectoryEntry, number: Int) -> String {
    let fields = [
      String(number), station.name, station.countryCode, station.isAlive ? station.codec : "no answer",
      String(station.bitRate), String(station.votes), station.tags.joined(separator: ","),
    ]
    return fields.map { clean($0) }.joined(separator: "\t")
  }

  /// Returns an object with the fields of a `DirectoryEntry`. The address is not redacted: the directory is public,
  /// and a shortened address may not play.
  static func json(_ station: DirectoryEntry, number: Int) -> String {
    var line = JsonLine()
    line.add("number", number)
    line.add("name", station.name)
    line.add("url", station.url.unredacted)
    line.add("homepage", station.homepage)
    line.add("tags", station.tags)
    line.add("countryCode", station.countryCode)
    line.add("country", station.country)
    line.add("state", station.state)
    line.add("languages", station.languages)
    line.add("codec", station.codec)
    line.add("bitRate", station.bitRate)
    line.add("votes", station.votes)
    line.add("isAlive", station.isAlive)
    line.add("isHls", station.isHls)
    line.add("uuid", station.uuid.map { "\($0)" })
    return line.line
  }

  private static let minNameWidth = 16
  private static let minTagsWidth = 6

  private static func number(_ place: Int, _ width: Int) -> String {
    let number = String(place + 1)
    return String(repeating: " ", count: width - number.count) + number
  }

  /// Returns codec and bit rate, or "no answer" for a station that did not respond to the directory's servers.
  private static func sound(_ station: DirectoryEntry) -> String {
    guard station.isAlive else { return "no answer" }
    let parts = [clean(station.codec), station.bitRate > 0 ? String(station.bitRate) : "", station.isHls ? "HLS" : ""]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func clean(_ text: String) -> String { DisplayText.clean(text) }
}
