import Units

/// Another place of a file that was tuned to, or that followed.
struct FileSeek: Equatable, Sendable {
  /// How the file is asked for if need be, its start being that place.
  var request: StationRequest
  /// Which of the programme's files it is: those before it, counted.
  var number: Int
  /// The programme that it becomes.
  var epoch: UInt32
}

/// What follows when a file is over, in the same programme.
struct Follow: Equatable, Sendable {
  /// Nil where nothing does.
  var request: StationRequest?
  /// What it is known by to who asked for it.
  var token: Int
}

/// What the net thread was told and has not done yet: many orders, folded into one that comes to the same.
struct NetOrders {
  /// What is done to the programme, the one tuned to last or the one that runs.
  enum Act {
    case rest
    case resume
    case stop
  }

  /// The programme to begin first.
  private(set) var tune: (request: StationRequest, epoch: UInt32)?
  /// Where a file of the programme goes on, as a programme of its own.
  private(set) var seek: FileSeek?
  /// What is to follow on the programme's last file.
  private(set) var follow: Follow?
  /// Whether titles beside the stream are to be asked for, where that was said.
  private(set) var nowPlaying: Bool?
  /// What changes of the request of what runs, or is to begin.
  private(set) var change: RequestChange?
  /// How far a download may run ahead of the sound from now on, where that was said.
  private(set) var hold: HoldRule?
  /// What is done then.
  private(set) var act: Act?
  /// Whether the connections are dead, and made anew before that.
  private(set) var renews = false
  /// Whether the thread ends.
  var quits = false

  /// Begins a programme; nothing that was said of another one counts.
  mutating func tune(_ request: StationRequest, epoch: UInt32) {
    tune = (request, epoch)
    (seek, follow, change, act, nowPlaying) = (nil, nil, nil, nil, nil)
    renews = false
  }

  /// Goes to another place of a file, as a programme of its own; one that was to begin begins there.
  mutating func seek(_ seek: FileSeek) {
    if act == .stop { return }
    follow = nil
    if tune != nil {
      tune = (seek.request, seek.epoch)
    } else {
      self.seek = seek
    }
  }

  /// Says what is to follow; what was said before of that is void.
  mutating func follow(_ follow: Follow) { if act != .stop { self.follow = follow } }

  /// Makes the connections anew; one that was to begin is new.
  mutating func renew() { if act != .stop, tune == nil { renews = true } }

  /// Says whether titles beside the stream are to be asked for.
  mutating func nowPlaying(_ isWanted: Bool) { if act != .stop { nowPlaying = isWanted } }

  /// Changes the request; what is not named in it stays as it was changed before.
  mutating func adjust(_ change: RequestChange) {
    if act == .stop { return }
    var whole = self.change ?? RequestChange()
    whole.add(change)
    self.change = whole
  }

  /// Says how far a download may run ahead of the sound, of this programme and of all that follow.
  mutating func use(_ hold: HoldRule) { self.hold = hold }

  /// A stop leaves nothing to begin, to rest or to resume.
  mutating func post(_ new: Act) {
    if act == .stop { return }
    if new == .stop { (tune, seek, follow, change, nowPlaying, renews) = (nil, nil, nil, nil, nil, false) }
    act = new
  }
}
