import CLinux
import Units

extension StationSettings {
  /// Reads a `[[station]]`. Returns nil if the station has a fault, and adds the fault to the log.
  init?(_ table: TableReader) {
    self.init(name: "", url: "" as StationAddress)
    let before = table.log.count
    table.require("name", "\"…\"")
    table.require("url", "\"http://…\"")
    name = table.text("name", .stationName) ?? ""
    url = StationAddress(table.text("url", .address) ?? "")
    readRequest(table)
    readMetadata(table)
    directoryID = table.text("directory_id", .directoryID)
    isFromDirectory = table.flag("from_directory") ?? false
    alternatives = table.alternatives(of: url)
    fallback = table.fallback()
    deadAirDecibels = table.number("dead_air_db", Limits.deadAirDecibels, "dB")
    deadAirSeconds = table.number("dead_air_s", Limits.deadAirSeconds, "s")
    isTalk = table.flag("talk")
    gain = table.number("gain", Limits.gain, "dB")
    drift = table.flag("drift")
    table.close()
    guard table.log.count == before else { return nil }
  }

  private mutating func readRequest(_ table: TableReader) {
    let isLive = table.flag("live") ?? false
    let isFile = table.flag("file") ?? false
    mode = isLive ? .live : isFile ? .file : .automatic
    if isLive, isFile { table.complain(at: ["file"], "live and file exclude each other; keep one of them") }
    type = table.word("type", AddressKind.self)
    user = table.text("user", .user)
    userAgent = table.text("user_agent", .line)
    headers = table.texts("headers", .header, most: 32) ?? []
    query = table.texts("query", .line, most: 32) ?? []
    maxBitRate = table.whole("max_bitrate", Limits.kilobitRate, "kbit/s")
  }

  private mutating func readMetadata(_ table: TableReader) {
    metadataEncoding = table.text("meta_encoding", .encoding)
    xmlMetadataURL = table.text("xml_meta_url", .webAddress).map { StationAddress($0) }
    xmlDelay = table.number("xml_delay", Limits.titleDelay, "s")
    stationTimeZone = table.text("station_time_zone", .zoneLetters)
    live365MetadataURL = table.text("live365_meta_url", .webAddress).map { StationAddress($0) }
    usesAudioCast = table.flag("audiocast")
  }
}

extension TableReader {
  /// Reads the alternatives of an address. A fault costs the alternative, not the station.
  fileprivate func alternatives(of url: StationAddress) -> [StationAlternative] {
    var known: Set = [url]
    let each = "an address, or a table with url, user, headers and query"
    let all = log.leavingOut {
      list("alternatives", of: each, most: StationAlternative.maxCount) { alternative($0, &known) }
    }
    return all?.compactMap { $0 } ?? []
  }

  /// Reads one alternative. Returns nil for another value, and an empty value for a reported fault. `known`: the
  /// station's address and the earlier alternatives.
  private func alternative(_ entry: TomlEntry, _ known: inout Set<StationAddress>) -> StationAlternative?? {
    let before = log.leftOutCount
    let alternative: StationAlternative
    switch entry.value {
    case .text(let text) where TextRule.address.accepts(text): alternative = StationAlternative(StationAddress(text))
    case .table:
      guard let table = reader(of: entry, title: "alternatives: ") else { return nil }
      alternative = StationAlternative(table)
    default: return nil
    }
    guard log.leftOutCount == before else { return .some(nil) }
    guard known.insert(alternative.url).inserted else {
      log.add(line: entry.line, "alternatives: an address is url itself or appears twice; remove it")
      return .some(nil)
    }
    checkSecret(of: alternative, line: entry.line)
    return alternative
  }

  /// Reports an alternative whose file of name and password is unusable. The file may be corrected later.
  private func checkSecret(of alternative: StationAlternative, line: Int) {
    guard let user = alternative.user, log.secrets != .none, log.secrets == .all || user.contains("/") else { return }
    do throws(SettingsError) { _ = try alternative.signIn() } catch {
      let place = error.file.showable(most: 200)
      log.add(line: line, "alternatives: \(place): \(error.problem); until then the radio leaves out this address")
    }
  }
}

extension StationAlternative {
  fileprivate init(_ table: TableReader) {
    table.require("url", "\"http://…\"")
    self.init(StationAddress(table.text("url", .address) ?? ""))
    user = table.text("user", .user)
    headers = table.texts("headers", .header, most: 32) ?? []
    query = table.texts("query", .line, most: 32) ?? []
    table.close()
  }
}

extension TextRule {
  /// A UUID (RFC 9562), in upper or lower case.
  fileprivate static var directoryID: TextRule {
    TextRule("a UUID, such as \"960cf833-0601-11e8-ae97-52543be04c81\"") { id in
      let groups = id.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      return groups.map(\.count) == [8, 4, 4, 4, 12]
        && groups.joined().allSatisfy { isWordByte($0) && Character(Unicode.Scalar($0)).isHexDigit }
    }
  }

  fileprivate static var stationName: TextRule {
    TextRule("1 to 100 characters on one line") { name in
      (1...100).contains(name.unicodeScalars.count) && !name.isUnshowable
        && name.unicodeScalars.contains { !$0.properties.isWhitespace }
    }
  }

  /// An address of a station. The host is checked for its form only; a later name look-up shows if it exists.
  fileprivate static var address: TextRule {
    let schemes = ["http", "https", "icy"]
    return TextRule("an http or https address, or file:/// and a path", fault: { addressFault($0, schemes) }) { url in
      url.hasPrefix("file:///") ? isClean(url) : isWeb(url, schemes)
    }
  }

  fileprivate static var webAddress: TextRule {
    let schemes = ["http", "https"]
    return TextRule("an http or https address", fault: { addressFault($0, schemes) }) { isWeb($0, schemes) }
  }

  fileprivate static var user: TextRule {
    TextRule("\"name:password\", or \"@\" and the path of a file whose first line that is") { user in
      guard !user.isUnshowable, user.utf8.count <= 1_000 else { return false }
      return user.hasPrefix("@") ? user.utf8.count > 1 : user.contains(":")
    }
  }

  fileprivate static var header: TextRule {
    TextRule("\"Name: value\"") { header in
      guard let colon = header.utf8.firstIndex(of: UInt8(ascii: ":")), header.utf8.count <= 1_000 else { return false }
      let name = header.utf8[..<colon]
      return !name.isEmpty && name.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !header.isUnshowable
    }
  }

  fileprivate static var encoding: TextRule {
    TextRule("an encoding that `iconv -l` lists, such as \"windows-1251\"") { encoding in
      guard (1...64).contains(encoding.utf8.count), encoding.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        return false
      }
      // glibc's converter of ISO-2022-CN-EXT reads and writes past its buffers.
      let letters = encoding.utf8.filter { isWordByte($0) && $0 != UInt8(ascii: "_") }
      guard !String(decoding: letters, as: UTF8.self).uppercased().contains("2022CNEXT"),
        let converter = bk_charset_open(encoding)
      else { return false }
      bk_charset_close(converter)
      return true
    }
  }

  fileprivate static var zoneLetters: TextRule {
    TextRule("a zone's letters, such as \"EST\"") { zone in
      StationZone(zone) != nil
    }
  }

  /// Returns the fault of an address. The text does not quote the address, which may contain a password.
  private static func addressFault(_ url: String, _ schemes: [String]) -> String? {
    if url.utf8.count > 4_096 { return "has more than 4096 bytes" }
    if url.isUnshowable { return "has a control character; remove it" }
    if url.unicodeScalars.contains(where: \.properties.isWhitespace) { return "has a space; write %20 instead" }
    guard let mark = url.firstRange(of: "://"), schemes.contains(url[..<mark.lowerBound].lowercased()) else {
      return nil
    }
    return "has no valid host; write http://HOST/PATH"
  }

  private static func isWeb(_ url: String, _ schemes: [String]) -> Bool {
    guard isClean(url), let colon = url.firstIndex(of: ":"), schemes.contains(url[..<colon].lowercased()),
      url[colon...].hasPrefix("://")
    else { return false }
    let rest = url[colon...].dropFirst(3)
    let authority = rest.prefix { !"/?#".contains($0) }
    let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return isHost(place)
  }

  /// True if the text is a host, with or without a port.
  private static func isHost(_ place: Substring) -> Bool {
    var host = place
    let isBracketed = place.hasPrefix("[")
    let end = isBracketed ? place.firstIndex(of: "]") : place.startIndex
    guard let end else { return false }
    if let colon = place[end...].lastIndex(of: ":") {
      let digits = place[place.index(after: colon)...]
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), digits.isEmpty || UInt16(digits) != nil else {
        return false
      }
      host = place[..<colon]
    }
    if isBracketed { return host.hasSuffix("]") && host.contains(":") }
    return !host.isEmpty && !host.contains { ":[]<>\"\\^`{|}".contains($0) } && host.first != "."
  }

  private static func isClean(_ url: String) -> Bool {
    url.utf8.count <= 4_096 && !url.isUnshowable && !url.unicodeScalars.contains { $0.properties.isWhitespace }
  }
}
