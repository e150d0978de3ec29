import Units

/// The files of a programme, one after the other: which one is on, and what follows on it. A value.
///
/// Who knows what comes next says so at any moment. The next file is asked for when the last byte of the one before it
/// is there, and its packets come right behind.
struct FileSequence: Equatable {
  /// Where the programme stands.
  private(set) var state = State.playing(nil)
  /// Files of the programme before the one that sounds.
  private(set) var number = 0
  /// What the last one that followed is known by to who asked for it.
  private(set) var token = 0

  enum State: Equatable, Sendable {
    /// What was tuned to, or the last one that followed, is on its way; `Follow` is what was said to come next, nil
    /// while nothing was.
    case playing(Follow?)
    /// It is whole, and nobody has said yet what follows: a short file may be whole before anybody heard of it.
    case awaiting
    /// The one that follows is asked for, and nothing of it is in the ring yet.
    case following
    /// Nothing follows any more.
    case over
  }

  /// What has to be done.
  enum Action: Equatable {
    case nothing
    /// Ask for what follows, instead of what was asked for to follow.
    case ask(StationRequest, WebAddress)
    /// The programme ends with what is held.
    case finish
  }

  /// Whether what is asked for follows, and nothing of it is in the ring yet.
  var isFollowing: Bool { state == .following }

  /// Whether a file is to come after the one that is on.
  var hasNext: Bool { if case .playing(let next?) = state { next.request != nil } else { false } }

  /// Somebody says what follows; where something else was being asked for already, that instead.
  mutating func follow(_ next: Follow) -> Action {
    switch state {
    case .playing:
      state = .playing(next)
      return .nothing
    case .awaiting, .following: return begin(next)
    case .over: return .nothing
    }
  }

  /// The last byte of what is on came.
  mutating func end() -> Action {
    switch state {
    case .playing(let next?): return begin(next)
    case .playing(nil):
      state = .awaiting
      return .nothing
    case .awaiting, .over: return .nothing
    // What follows has brought no sound.
    case .following: return abandon()
    }
  }

  private mutating func begin(_ next: Follow) -> Action {
    guard let request = next.request, let address = try? WebAddress(request.url, allowsFile: true) else {
      state = .over
      return .finish
    }
    (state, token) = (.following, next.token)
    return .ask(request, address)
  }

  /// A packet comes; whether it is the first one of what follows, so that another file begins with it.
  mutating func join() -> Bool {
    guard state == .following else { return false }
    state = .playing(nil)
    number += 1
    return true
  }

  /// What follows cannot be had, or is no file: who wants it may tune to it.
  mutating func abandon() -> Action {
    guard state == .following else { return .nothing }
    state = .over
    return .finish
  }

  /// Another place of the file that is on is wanted, and what follows on it is to be said anew.
  mutating func seek() { state = .playing(nil) }

  /// The programme begins with a file before which there are so many.
  init(number: Int = 0) { self.number = number }
}
