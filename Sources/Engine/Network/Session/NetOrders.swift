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

  /// Sets the final action. A stop cancels all other pending commands but `hold`.
  mutating func post(_ new: Act) {
    if act == .stop { return }
    if new == .stop { clear() }
    act = new
  }

  /// Cancels all commands about a programme.
  private mutating func clear() { self = NetOrders(hold: hold, quits: quits) }
}
