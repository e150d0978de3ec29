import Http
import Units

/// The files of a programme in playing order: the current file and the next. A value. The control thread sets the next
/// file at any time. Its request starts after the last byte of the current file, and its packets follow without a gap.
struct FileSequence: Equatable {
  private(set) var state = State.playing(nil)
  private(set) var number = 0
  /// Token of the last file requested by `setNext`.
  private(set) var token = 0

  enum State: Equatable, Sendable {
    /// The current file arrives. `Follow`: the next file; nil if not yet set.
    case playing(Follow?)
    /// The current file is complete, but the next file is not set yet. A short file may be complete before its start is
    /// known.
    case awaiting
    /// The next file is requested, and none of its packets is in the ring.
    case following
    case over
  }

  enum Action: Equatable {
    case nothing
    case request(StationRequest, WebAddress)
    case finish
  }

  var isFollowing: Bool { state == .following }

  var hasNext: Bool { if case .playing(let next?) = state { next.request != nil } else { false } }

  /// Sets the next file. Replaces a next file that is already requested.
  mutating func setNext(_ next: Follow) -> Action {
    switch state {
    case .playing:
      state = .playing(next)
      return .nothing
    case .awaiting, .following: return begin(next)
    case .over: return .nothing
    }
  }

  mutating func finishCurrent() -> Action {
    switch state {
    case .playing(let next?): return begin(next)
    case .playing(nil):
      state = .awaiting
      return .nothing
    case .awaiting, .over: return .nothing
    // The next file contained no audio.
    case .following: return abandon()
    }
  }

  private mutating func begin(_ next: Follow) -> Action {
    guard let request = next.request, let address = try? WebAddress(written: request.url, allowsFile: true) else {
      state = .over
      return .finish
    }
    (state, token) = (.following, next.token)
    return .request(request, address)
  }

  /// Handles a packet. Returns true if the next file starts with this packet.
  mutating func recordPacket() -> Bool {
    guard state == .following else { return false }
    state = .playing(nil)
    number += 1
    return true
  }

  /// Ends the programme, because the next file is unavailable or not a file.
  mutating func abandon() -> Action {
    guard state == .following else { return .nothing }
    state = .over
    return .finish
  }

  /// Handles a seek in the current file: the next file must be set again.
  mutating func seek() { state = .playing(nil) }

  init(number: Int = 0) { self.number = number }
}
