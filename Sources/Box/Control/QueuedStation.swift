import Network

/// One station or file of the queue.
public struct QueuedStation: Identifiable, Sendable {
  /// Its number for as long as it is in the queue; never another's.
  public let id: Int
  /// What it is called; empty where only its address is known.
  public internal(set) var name: String
  /// How it is tuned to.
  public internal(set) var request: StationRequest
  /// What clients know it by, MPD's `file`: its address as it was given, or `station:NAME` where that holds secrets.
  public internal(set) var address: String
  /// 0 … 255; in random order the higher goes first.
  public internal(set) var priority = 0
  /// The queue's version in which its place, or what stands there, last changed.
  public internal(set) var changedIn = 0

  /// What it takes of the queue's `mostText`, in bytes.
  var textCount: Int { name.utf8.count + request.url.byteCount }

  init(id: Int, name: String, request: StationRequest, address: String) {
    (self.id, self.name, self.request, self.address) = (id, name, request, address)
  }
}
