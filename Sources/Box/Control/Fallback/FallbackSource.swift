import Framing
import Glibc
import Http
import Network
import Settings
import System
import Units

/// A source of the fallback chain (F4): a station, or the files of a path.
public struct FallbackSource: Sendable {
  private enum Content {
    case station(StationRequest)
    /// A file or a folder, which may appear and change later.
    case path(String)
  }

  /// The station's name, the address without secrets, or the path.
  public let name: String
  private let content: Content

  /// Creates a source that plays a station.
  public init(_ station: Preset) {
    name = station.name.isEmpty ? station.request.url.description : station.name
    content = .station(station.request)
  }

  /// Creates a source that plays a file, or the audio files of a folder in natural order.
  public init(path: String) {
    name = DisplayText.clean(path)
    content = .path(absolutePath(path))
  }

  /// Returns the source for an entry of `fallback`: the name of a station, an address, or a path. Nil for another
  /// text, or if `request` does not allow the address. A path begins with "/", "~/" or ".".
  public init?(_ entry: String, among stations: PresetList, _ request: (StationAddress) -> StationRequest?) {
    if let place = stations.place(named: entry), let station = stations[place] {
      self.init(station)
    } else if entry.contains("://") {
      let address = StationAddress(entry)
      guard (try? WebAddress(written: address)) != nil, let request = request(address) else { return nil }
      self.init(Preset(name: "", request: request))
    } else if StationFallback(entry).isPath {
      let home = getenv("HOME").map { String(cString: $0) }
      self.init(path: entry.hasPrefix("~/") ? (home ?? "") + entry.dropFirst() : entry)
    } else {
      return nil
    }
  }

  /// True if the source plays the address.
  func plays(_ url: StationAddress) -> Bool {
    if case .station(let request) = content { request.url == url } else { false }
  }

  /// The request of a file; nil for a station.
  public var file: StationRequest? { if case .path(let path) = content { StationRequest(path: path) } else { nil } }

  /// The request of a station; nil for a path.
  public var station: StationRequest? { if case .station(let request) = content { request } else { nil } }

  /// Returns the requests to play one after the other. Reads a folder, which may block. Throws if a path has no audio
  /// file.
  func requests() throws(AudioFolder.Fault) -> [StationRequest] {
    switch content {
    case .station(let request): return [request]
    case .path(let path):
      if let files = try AudioFolder.files(in: path) { return files.map { Self.request(ofListed: $0) } }
      guard access(path, R_OK) == 0 else { throw .unreadable(path, errno: errno) }
      guard AudioFolder.hasContent(path) else { throw .emptyFile(path) }
      return [StationRequest(path: path)]
    }
  }

  /// Returns the request for a file of a folder. A list that is named like audio leads nowhere.
  private static func request(ofListed path: String) -> StationRequest {
    var request = StationRequest(path: path)
    request.addressKind = .raw
    return request
  }

  /// The reason why the source cannot play now; nil if it may play. Reads a folder, which may block.
  var problem: String? {
    do throws(AudioFolder.Fault) { _ = try requests() } catch { return error.sentence }
    return nil
  }
}
