import Network

/// One station or file of the queue.
public struct QueuedStation: Identifiable, Sendable {
  /// Its number for as long as it is in the queue; never another's.
  public let id: Int
  /// What it is called; empty where only its address is known.
  public internal(set) var name: String
  /// How it is tuned to.
  public internal(set) var request: StationRequest
  /// Its address as it may be shown: without secrets.
  public internal(set) var address: String
  /// 0 … 255; in random order the higher goes first.
  public internal(set) var priority = 0
  /// The queue's version in which its place, or what stands there, last changed.
  public internal(set) var changedIn = 0

  init(id: Int = 0, name: String, request: StationRequest) {
    (self.id, self.name, self.request) = (id, name, request)
    address = Self.shown(request.url)
  }

  /// As it was given, unless there is something to hide.
  private static func shown(_ url: String) -> String {
    do throws(NetworkError) {
      let address = try WebAddress(url, allowsFile: true)
      let isPlain = address.credentials == nil && address.redacted == address.url
      return isPlain && !url.utf8.contains { $0 < 0x20 } ? url : address.redacted
    } catch {
      return WebAddress.redacting(url)
    }
  }
}
