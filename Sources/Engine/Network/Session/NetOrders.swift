import Units

struct FileSeek: Equatable, Sendable {
  /// Request for the file if the file must be opened again; `start` is the wanted position.
  var request: StationRequest
  /// Number of files before that file in the programme.
  var number: Int
  var epoch: UInt32
}

struct Follow: Equatable, Sendable {
  /// Nil to end the programme.
  var request: StationRequest?
  var token: Int
}

/// Pending commands for the net thread, merged: later commands replace or cancel earlier ones.
struct NetOrders {
  enum Act {
    case rest
    case resume
    case stop
  }

  private(set) var tune: (request: StationRequest, epoch: UInt32)?
  private(set) var seek: FileSeek?
  private(set) var follow: Follow?
  /// True to start, false to stop requests for external titles; nil without a command.
  private(set) var nowPlaying: Bool?
  private(set) var change: RequestChange?
  private(set) var hold: HoldRule?
  private(set) var prefetch: PrefetchRule?
  private(set) var second: SecondSourceRule?
  private(set) var act: Act?
  /// True if dead connections must be replaced before `act`.
  private(set) var renews = false
  var quits = false

  mutating func tune(_ request: StationRequest, epoch: UInt32) {
    clear()
    tune = (request, epoch)
  }

  /// Starts at another position of a file, as a new programme. A pending `tune` is changed to start there.
  mutating func seek(_ seek: FileSeek) {
    if act == .stop { return }
    follow = nil
    if tune != nil {
      tune = (seek.request, seek.epoch)
    } else {
      self.seek = seek
    }
  }

  mutating func follow(_ follow: Follow) { if act != .stop { self.follow = follow } }

  /// Replaces the connections, unless a pending `tune` makes new ones.
  mutating func renew() { if act != .stop, tune == nil { renews = true } }

  mutating func nowPlaying(_ isWanted: Bool) { if act != .stop { nowPlaying = isWanted } }

  mutating func adjust(_ change: RequestChange) {
    if act == .stop { return }
    self.change = change.merged(after: self.change)
  }

  mutating func use(_ hold: HoldRule) { self.hold = hold }

  mutating func prefetch(_ rule: PrefetchRule) { prefetch = rule }

  mutating func use(_ rule: SecondSourceRule) { second = rule }

  /// Adds the commands of a programme that waits for its connection, which precede these commands.
  mutating func restore(_ earlier: NetOrders) {
    if isUrgent { return }
    (seek, follow) = (seek ?? earlier.seek, follow ?? earlier.follow)
    nowPlaying = nowPlaying ?? earlier.nowPlaying
    change = change.map { $0.merged(after: earlier.change) } ?? earlier.change
    act = act ?? earlier.act
    renews = renews || earlier.renews
  }

  /// True if the commands replace or end the programme, and must not wait.
  var isUrgent: Bool { tune != nil || act == .stop || quits }

  /// Sets the final action. A stop cancels the other commands about the programme.
  mutating func post(_ new: Act) {
    if act == .stop { return }
    if new == .stop { clear() }
    act = new
  }

  /// Cancels all commands about a programme.
  private mutating func clear() { self = NetOrders(hold: hold, prefetch: prefetch, second: second, quits: quits) }
}
