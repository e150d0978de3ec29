import Units

/// What a radio is about to do when somebody wants to go elsewhere in what it plays. `seekDone` tells when it is there,
/// and where exactly.
public enum SeekPlan: Equatable, Sendable {
  /// Nothing: nothing was heard yet that could be sought in, or the listener is there.
  case stays
  /// The place is held: the sound goes on there in a moment. Seconds of the programme's own time, or of the file's.
  case jumps(to: Double)
  /// The file is requested from that second on, and sounds when enough of it is held.
  case reloads(from: Double)

  /// Where the sound will go on, in seconds; nil where it stays.
  public var position: Double? {
    switch self {
    case .stays: nil
    case .jumps(let place), .reloads(let place): place
    }
  }
}

extension SeekPlan {
  /// What the actions of a transport come to.
  init(_ actions: [Transport.Action], _ look: ProgrammeLook) {
    self = .stays
    for action in actions {
      switch action {
      case .seek(let place, _, _): self = .jumps(to: max(.zero, place - look.base).seconds)
      case .leave(let place):
        let length = look.facts?.duration ?? .zero
        self = .reloads(from: max(.zero, min(place - look.base, length)).seconds)
      default: break
      }
    }
  }
}
