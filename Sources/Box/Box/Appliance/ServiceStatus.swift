import Panel

/// The status for `systemctl status`. Comparing two values is cheaper than writing two lines.
struct ServiceStatus: Equatable {
  private let guest: String?
  private let fault: PanelFault?
  private let isStandby: Bool
  private let station: String
  private let state: PanelState

  init(_ view: PanelView) {
    (guest, fault, isStandby) = (view.guest, view.fault, view.isStandby)
    (station, state) = (view.station, view.state)
  }

  var line: String {
    if let guest { return "Suspended: \(guest.isEmpty ? "another program" : guest) plays" }
    if let fault { return "Trouble: \(fault)" }
    if isStandby { return "Standby" }
    return station.isEmpty ? state.rawValue : "\(state.rawValue): \(station)"
  }
}
