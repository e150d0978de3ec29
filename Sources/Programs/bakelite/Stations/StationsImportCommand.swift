import ArgumentParser
import Framing
import Http
import Listings
import Settings
import Units

struct StationsImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Add all stations of a playlist to the list: M3U, PLS, OPML, XSPF or ASX, or another file of stations.",
    discussion: """
      Also reads the stations of other players: JSON of Volumio, moOde, Radiotray-NG and radio-browser.info, M3U of \
      RadioDroid, CSV of yoRadio, JSON of KaRadio, and XML of Radiotray and Kodi.

      Skips addresses that are already on the list. Appends a number, such as "(2)", to a name that exists. For \
      safety, skips stations that read files of this machine (file:, or user = "@…"); add these with \
      `bakelite stations add`.
      """)

  @Argument(help: ArgumentHelp("The playlist's path.", valueName: "playlist"), completion: .file())
  var source: String

  @OptionGroup var file: StationFileOption

  @OptionGroup var radio: RunningRadioOption

  func run() throws {
    let (offered, remark) = try stations()
    let files = try StationFiles(file, of: radio, for: .add)
    let choice = try files.edit { file throws(SettingsError) in
      let choice = ImportChoice(offered, beside: file.list)
      try file.insert(choice.stations)
      return choice
    }
    printNote([choice.sentence, remark].compactMap(\.self).joined(separator: " "))
    radio.reload(of: files)
  }

  private func stations() throws -> (stations: [StationSettings], remark: String?) {
    let bytes = try SmallFile.read(source, limit: PlaylistParser.byteLimit)
    if source.hasSuffix(".toml") {
      let list = StationList.read(bytes, file: source)
      for problem in list.problems { printError("\(problem)") }
      guard list.isWhole || !list.entries.isEmpty else { throw Outcome(list.problems).exitCode }
      return (list.entries.map(\.station), nil)
    }
    if let list = ForeignList(bytes) { return (list.entries.map(Self.station), Self.unread(list)) }
    let name = source.split(separator: "/").last.map(String.init) ?? source
    let sniffed = ContentSniffer.sniff(bytes.span, isWhole: true, contentType: nil, path: name)
    guard case .playlist(let kind) = sniffed else {
      if case .refused(let kind) = sniffed { throw failure(.failed, "\(DisplayText.clean(source)): \(kind.sentence).") }
      if ForeignList.looksLikeJson(bytes) {
        throw failure(
          .failed,
          "\(DisplayText.clean(source)) is damaged JSON, or has no station with a name and an address; export the list "
            + "again.")
      }
      throw failure(
        .failed,
        "\(DisplayText.clean(source)) is not a station list; supported formats are M3U, PLS, OPML, XSPF, ASX, "
          + ".toml, and the lists of other players.")
    }
    do throws(ListingError) {
      let entries = try PlaylistParser.entries(of: bytes.span, kind: kind)
      return (Self.stations(entries), Self.ignoredOptions(entries))
    } catch {
      throw failure(.failed, "\(DisplayText.clean(source)): \(error)")
    }
  }

  /// Returns the stations of a playlist. Another address of a programme becomes an alternative of its station.
  private static func stations(_ entries: [ListEntry]) -> [StationSettings] {
    var stations: [StationSettings] = []
    for entry in entries {
      let station = station(entry)
      guard entry.isAlternative, var first = stations.popLast() else {
        stations.append(station)
        continue
      }
      first.alternatives.append(StationAlternative(station.url))
      stations.append(first)
      // An unusable or superfluous alternative must not cost the station.
      if first.problem != nil { stations[stations.count - 1].alternatives.removeLast() }
    }
    return stations
  }

  private static func station(_ entry: ForeignList.Entry) -> StationSettings {
    var listed = ListEntry(reference: entry.url, title: entry.name.isEmpty ? nil : entry.name)
    listed.directoryID = entry.directoryID
    return station(listed)
  }

  /// Returns the first names for people.
  fileprivate static func names(_ names: [String]) -> String {
    let shown = names.prefix(3).map { DisplayText.clean($0, characterLimit: 40) }
    return shown.joined(separator: ", ") + (names.count > 3 ? ", …" : "")
  }

  private static func unread(_ list: ForeignList) -> String? {
    let count = list.unread.count
    return count == 0 ? nil : "Skipped \(count) without a usable address: \(names(list.unread))."
  }

  /// Returns the station of a playlist entry. Without a title, the name in the address or the host becomes its name.
  /// Options in the address become settings.
  private static func station(_ entry: ListEntry) -> StationSettings {
    let options = AddressOptions(StationAddress(entry.reference), more: entry.options)
    var name = DisplayText.clean(entry.shownTitle ?? options.name ?? "", characterLimit: 90)
    if name.isEmpty {
      name = DisplayText.clean((try? WebAddress(options.address))?.host ?? "Station", characterLimit: 90)
    }
    var station = StationSettings(name: name, url: options.address.unredacted)
    station.userAgent = options.userAgent
    station.headers = options.headers
    station.metadataEncoding = options.encoding
    // An encoding that iconv does not know would make the station invalid.
    if station.problem != nil { station.metadataEncoding = nil }
    station.directoryID = entry.directoryID
    if station.problem != nil { station.directoryID = nil }
    return station
  }

  /// Returns a sentence about the ignored options; nil if all options became settings.
  private static func ignoredOptions(_ entries: [ListEntry]) -> String? {
    let ignored = entries.map { AddressOptions(StationAddress($0.reference), more: $0.options).ignored }.filter {
      !$0.isEmpty
    }
    guard !ignored.isEmpty else { return nil }
    let names = Set(ignored.joined()).sorted()
    let list = names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
    return "Left out options in \(ignored.count) address\(ignored.count == 1 ? "" : "es"): \(list)."
  }
}

private struct ImportChoice {
  private(set) var stations: [StationSettings] = []
  private var known = 0
  private var unfit: [String] = []
  private var local: [String] = []

  init(_ offered: [StationSettings], beside list: StationList) {
    // An earlier import may have stored options in the address.
    var urls = Set(list.entries.flatMap { [$0.station.url, AddressOptions($0.station.url).address] })
    var names = Set(list.entries.map(\.station.name))
    for var station in offered {
      guard !urls.contains(station.url) else {
        known += 1
        continue
      }
      guard !station.opensFiles() else {
        local.append(station.name)
        continue
      }
      let name = station.name
      var number = 2
      while names.contains(station.name) {
        station.name = "\(name) (\(number))"
        number += 1
      }
      guard station.problem == nil else {
        unfit.append(station.name)
        continue
      }
      urls.insert(station.url)
      names.insert(station.name)
      stations.append(station)
    }
  }

  var sentence: String {
    var words = ["Imported \(stations.count) station\(stations.count == 1 ? "" : "s")."]
    if known > 0 { words.append("Skipped \(known) that \(Self.verb(known)) already on the list.") }
    let names = StationsImportCommand.names
    if !unfit.isEmpty {
      words.append("Skipped \(unfit.count) that \(Self.verb(unfit.count)) not valid: \(names(unfit)).")
    }
    if !local.isEmpty {
      words.append("Skipped \(local.count) that would read a file of this machine: \(names(local)).")
    }
    return words.joined(separator: " ")
  }

  private static func verb(_ count: Int) -> String { count == 1 ? "is" : "are" }
}
