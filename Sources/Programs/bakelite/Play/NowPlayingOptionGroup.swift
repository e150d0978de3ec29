import ArgumentParser
import Http
import Network
import Units

struct NowPlayingOptionGroup: ParsableArguments {
  @Option("Read titles from XML in AudioVault's or a similar format at this address.", value: "url")
  var xmlMeta: String?

  @Option(
    """
    Interpret the times in the XML of --xml-meta as local times of this zone, such as EST or CET. EST means New York \
    time, also in summer. Default: a title starts when it is read.
    """, value: "zone", completion: .list(StationZone.letters))
  var stationTimeZone: String?

  @Option(
    "Delay the titles of --xml-meta by this many seconds, -3600 to 3600.", value: "seconds", parsing: .unconditional)
  var xmlDelay = 0.0

  @Option("Read titles from Live365's XML at this address.", value: "url")
  var live365Meta: String?

  @Flag(help: "Request titles from the server by UDP (AudioCast), as sent by old Icecast servers.")
  var audiocast = false

  func validate() throws {
    for (option, url) in [("--xml-meta", xmlMeta), ("--live365-meta", live365Meta)] {
      guard let url else { continue }
      do throws(NetworkError) {
        _ = try WebAddress(url)
      } catch {
        throw ValidationError("\(option): \(error.sentence(for: StationAddress(url)))")
      }
    }
    if let stationTimeZone, StationZone(stationTimeZone) == nil {
      let known = StationZone.letters.joined(separator: " ")
      throw ValidationError("--station-time-zone is \"\(stationTimeZone)\", and must be one of \(known).")
    }
    try check("--xml-delay", xmlDelay, Limits.titleDelay, "seconds")
  }

  var externalMetadata: ExternalMetadata {
    var metadata = ExternalMetadata()
    metadata.xmlURL = xmlMeta.map { StationAddress($0) }
    metadata.zone = stationTimeZone.flatMap { StationZone($0) }
    metadata.delay = xmlDelay
    metadata.live365URL = live365Meta.map { StationAddress($0) }
    metadata.usesAudioCast = audiocast
    return metadata
  }
}
