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

  /// Nothing, for that reason.
  case refused(SeekRefusal)

  /// Where the sound will go on, in seconds; nil where it stays.
  public var position: Double? {
    switch self {
    case .stays, .refused: nil
    case .jumps(let place), .reloads(let place): place
    }
  }
}

/// Why a radio does not go where somebody wants to hear on.
public enum SeekRefusal: Hashable, Sendable {
  /// What comes is recorded, and going to a place that is not held would put it out of order.
  case recording

  /// The same to a person.
  public var sentence: String {
    "This place is not in the buffer, and going there would mix up the recording. End the recording first."
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
        let reach = look.reach ?? StreamTime.zero...StreamTime.zero
        self = .reloads(from: (max(reach.lowerBound, min(place, reach.upperBound)) - look.base).seconds)
      case .refuse(let refusal): self = .refused(refusal)
      default: break
      }
    }
  }
}
