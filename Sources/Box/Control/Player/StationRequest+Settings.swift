import Http
import Network
import Settings
import Units

extension StationRequest {
  /// Applies the options of a station file. Earlier options have priority; headers and parameters are added.
  /// An address from the directory must not lead into the owner's private networks.
  public mutating func apply(_ station: StationSettings) throws(SettingsError) {
    reach = AddressPolicy(
      remembered: station.url, isNamed: station.isFromDirectory || station.directoryID != nil)
    switch station.mode {
    case .live: mode = .live
    case .file: mode = .file
    case .automatic: break
    }
    switch station.type {
    case .raw: addressKind = .raw
    case .pls: addressKind = .playlist(.pls)
    case .m3u: addressKind = .playlist(.m3u)
    case nil: break
    }
    userAgent = station.userAgent ?? userAgent
    headers += station.headers
    query += station.query
    maxBitRate = maxBitRate ?? station.maxBitRate.map { $0 * 1_000 }
    metadataEncoding = metadataEncoding ?? station.metadataEncoding
    // An unusable alternative must not cost the station.
    alternatives += station.alternatives.compactMap { try? AlternativeAddress($0) }
    credentials = try station.signIn().map { Credentials(name: $0.name, password: $0.password) } ?? credentials
    isSteered = station.drift
    let titles = externalMetadata
    externalMetadata.xmlURL = titles.xmlURL ?? station.xmlMetadataURL
    if titles.xmlURL == nil { externalMetadata.delay = station.xmlDelay ?? titles.delay }
    externalMetadata.zone = titles.zone ?? station.stationTimeZone.flatMap { StationZone($0) }
    externalMetadata.live365URL = titles.live365URL ?? station.live365MetadataURL
    externalMetadata.usesAudioCast = titles.usesAudioCast || station.usesAudioCast ?? false
  }
}

extension AlternativeAddress {
  /// Reads the address and its options from a station file.
  init(_ alternative: StationAlternative) throws(SettingsError) {
    self.init(url: alternative.url)
    (headers, query) = (alternative.headers, alternative.query)
    credentials = try alternative.signIn().map { Credentials(name: $0.name, password: $0.password) }
  }
}

extension StationSettings {
  /// Creates a station that repeats a request, without its password.
  public init(name: String, repeating request: StationRequest) {
    self.init(name: name, url: request.url)
    mode = request.mode == .live ? .live : request.mode == .file ? .file : .automatic
    switch request.addressKind {
    case .raw: type = .raw
    case .playlist(.pls): type = .pls
    case .playlist(.m3u): type = .m3u
    case .playlist, .automatic: break
    }
    userAgent = request.userAgent == Version.userAgent ? nil : request.userAgent
    (headers, query) = (request.headers, request.query)
    alternatives = request.alternatives.map {
      var alternative = StationAlternative($0.url)
      (alternative.headers, alternative.query) = ($0.headers, $0.query)
      return alternative
    }
    maxBitRate = request.maxBitRate.map { $0 / 1_000 }
    metadataEncoding = request.metadataEncoding
    isFromDirectory = request.reach != .anywhere
  }
}
