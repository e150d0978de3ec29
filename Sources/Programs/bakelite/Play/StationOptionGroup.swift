import ArgumentParser
import AudioOutput
import Framing
import Http
import Network
import RadioEngine
import Settings
import System
import Units

struct StationOptionGroup: ParsableArguments {
  @Flag(help: "Treat the address as a live station. Default: depends on the server's response.")
  var live = false

  @Flag(help: "Treat the address as a file with an end.")
  var file = false

  @Option(
    "Treat the address as audio (raw) or as a playlist (pls, m3u). Default: detected from the content.",
    value: "raw|pls|m3u", completion: .list(["raw", "pls", "m3u"]))
  var type: String?

  @Option("Reconnect after this many seconds without data, 1 to 3600.", value: "seconds", parsing: .unconditional)
  var dataTimeout = Defaults.dataTimeout

  @Option(
    """
    Send this name and password. @FILE reads them from the first line of FILE, and keeps them out of the process \
    list. Default: the environment variable BAKELITE_USER.
    """, value: "name:password|@file")
  var user: String?

  @Option("Send this User-Agent.", value: "text")
  var userAgent = Version.userAgent

  @OptionGroup var stream: StreamOptionGroup

  @Option(
    """
    Reconnect to a live station after playback has started: forever, never (none), or this many times, 0 or more. A \
    failed first connection is retried for \(figure(Defaults.firstPatience)) s in any case.
    """, value: "forever|none|number", parsing: .unconditional, completion: .list(["forever", "none"]))
  var retry = "forever"

  func validate() throws {
    if live && file { throw ValidationError("--live and --file exclude each other; use one of them.") }
    try check("--data-timeout", dataTimeout, 1...3600, "seconds")
    try check("--max-bitrate", stream.maxBitrate, Limits.kilobitRate, "kbit/s")
    if addressKind == nil { throw ValidationError("--type is \"\(type ?? "")\", and must be raw, pls or m3u.") }
    if retries == nil { throw ValidationError("--retry is \"\(retry)\", and must be forever, none or a number.") }
    if let metaEncoding = stream.metaEncoding, !isKnownMetadataEncoding(metaEncoding) {
      throw ValidationError("--meta-encoding \"\(metaEncoding)\" is unknown; `iconv -l` lists the supported encodings.")
    }
    for (number, text) in stream.header.enumerated() where !text.contains(":") {
      throw ValidationError("--header number \(number + 1) has no colon; write it as \"Name: value\".")
    }
  }

  private var addressKind: StationRequest.AddressKind? {
    switch type {
    case nil: .automatic
    case "raw": .raw
    case "pls": .playlist(.pls)
    case "m3u": .playlist(.m3u)
    default: nil
    }
  }

  private var retries: StationRequest.Retry? {
    switch retry {
    case "forever": .forever
    case "none": .times(0)
    default: Int(retry).flatMap { $0 >= 0 ? .times($0) : nil }
    }
  }

  func request(for place: String) throws -> StationRequest { try request(for: Self.url(for: place)) }

  func request(for url: StationAddress) throws -> StationRequest {
    var request = StationRequest(url: url)
    request.mode = live ? .live : file ? .file : .automatic
    request.addressKind = addressKind ?? .automatic
    request.retry = retries ?? .forever
    request.userAgent = userAgent
    request.headers = stream.header
    request.query = stream.query
    request.credentials = try UserOption.credentials(user)
    request.metadataEncoding = stream.metaEncoding
    request.maxBitRate = stream.maxBitrate.map { $0 * 1_000 }
    request.dataTimeout = Duration(seconds: dataTimeout)
    return request
  }

  /// Returns a request without the secrets of the command line, which belong to its station.
  func publicRequest(for url: StationAddress) throws -> StationRequest {
    var request = try request(for: url)
    (request.headers, request.query, request.credentials) = ([], [], nil)
    return request
  }

  /// Returns a `file://` address for an existing or probable path, otherwise the address itself.
  static func url(for place: String) throws -> StationAddress {
    // A folder named "http:" does not turn an address into a file.
    guard !place.contains("://"), isFile(place) || looksLikePath(place) else { return StationAddress(place) }
    do throws(NetworkError) {
      return try WebAddress(filePath: absolutePath(place)).url
    } catch {
      throw failure(.wrongUse, error.sentence(for: StationAddress(place)))
    }
  }

  /// Returns true if a text that names no file was probably meant as a path: no host is named "song.mp3".
  static func looksLikePath(_ place: String) -> Bool {
    if place.hasPrefix("/") || place.hasPrefix(".") { return true }
    // A port, query or user indicates an address. Unlike a path, an address may contain secrets and is not printed.
    guard !place.contains(where: { ":?@".contains($0) }) else { return false }
    let first = place.prefix { $0 != "/" }
    if first.count < place.count { return isFile(String(first)) }
    return place.contains(".") ? hasFileEnding(place) : place != "localhost"
  }

  static func hasFileEnding(_ place: String) -> Bool {
    place.lastIndex(of: ".").map { fileEndings.contains(place[place.index(after: $0)...].lowercased()) } ?? false
  }

  private static let fileEndings: Set = [
    "mp3", "mp2", "mpga", "aac", "adts", "m4a", "m4b", "mp4", "ogg", "oga", "opus", "flac", "wav", "aif", "aiff",
    "aifc", "wma", "m3u", "m3u8", "pls", "xspf", "asx", "rss", "xml", "opml",
  ]
}
