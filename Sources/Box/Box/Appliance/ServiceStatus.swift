import Panel

/// The status for `systemctl status`. Comparing two values is cheaper than writing two lines.
struct ServiceStatus: Equatable {
  private let guest: String?
  private let fault: PanelFault?
  private let isStandby: Bool
  private let station: String
  private let state: PanelState
  private let source: PanelSource?

  init(_ view: PanelView) {
    (guest, fault, isStandby) = (view.guest, view.fault, view.isStandby)
    (station, state, source) = (view.station, view.state, view.source)
  }

  var line: String {
    if let guest { return "Suspended: \(guest.isEmpty ? "another program" : guest) plays" }
    if let source, source.kind == .tone { return "Tone instead of \(source.station)" }
    if let fault { return "Trouble: \(fault)" }
    if isStandby { return "Standby" }
    let replaced = source.flatMap { $0.kind == .fallback ? $0.station : nil }
    let played = replaced.map { "\(station) instead of \($0)" } ?? station
    return played.isEmpty ? state.rawValue : "\(state.rawValue): \(played)"
  }
}
