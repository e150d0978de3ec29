/// The update of the station directory, for clients of the protocol.
public protocol DirectoryControl: AnyObject {
  /// The last requested update; nil before the first request.
  var update: DirectoryUpdateState? { get }
  /// Code of the radio's country; nil if unknown.
  var country: String? { get }

  /// Requests an update. The running update suffices.
  func requestUpdate() throws(ControlRefusal)
  /// Watches for a copy from another source; called if a client learned that no copy exists.
  func expectCopy()
}

/// The state of a requested update.
public enum DirectoryUpdateState: Equatable, Sendable {
  /// The service has not started the update yet.
  case requested
  /// The list is being received: number of stations so far.
  case running(stations: Int)
  case ready
  /// The update failed, with the reason as a sentence.
  case failed(String)
}
