import Network

/// Follows the addresses of a station: an alternative that delivers replaces the station's own address (F7). A value.
struct AddressWatch {
  /// An alternative that delivers.
  struct Detour {
    let address: String
    /// The last fault before the alternative; nil without a fault.
    let fault: PlaybackFault?
    /// Time of the change in seconds.
    let since: Double
  }

  private(set) var detour: Detour?
  private var address: String?
  private var fault: PlaybackFault?

  /// Records the fault of the moment, because the next address clears it.
  mutating func record(_ fault: PlaybackFault?) { if let fault { self.fault = fault } }

  /// Forgets the fault, because the same address plays without a fault again.
  mutating func recover(_ address: String?) { if address == self.address { fault = nil } }

  /// Processes the address that delivers; nil without a connection. `time`: the present in seconds.
  mutating func update(_ address: String?, of request: StationRequest, at time: Double) {
    guard let address, address != self.address else { return }
    self.address = address
    let isAlternative = request.alternatives.contains { $0.url.description == address }
    detour = isAlternative ? Detour(address: address, fault: fault, since: time) : nil
  }
}
