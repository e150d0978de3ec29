import Network

/// A station or file of the queue.
public struct QueuedStation: Identifiable, Sendable {
  /// The permanent id in the queue, never reused.
  public let id: Int
  /// The name; empty if only the address is known.
  public internal(set) var name: String
  /// The request that tunes to it.
  public internal(set) var request: StationRequest
  /// MPD's `file`: the address as given, or `station:NAME` if the address contains secrets.
  public internal(set) var address: String
  /// 0 … 255; in random order higher priorities come first.
  public internal(set) var priority = 0
  /// The queue's version when this entry or its position last changed.
  public internal(set) var changedIn = 0

  /// Bytes of the station in `StationQueue.maxTextBytes`.
  var textCount: Int { name.utf8.count + request.url.byteCount }

  init(id: Int, name: String, request: StationRequest, address: String) {
    self.id = id
    self.name = name
    self.request = request
    self.address = address
  }
}
