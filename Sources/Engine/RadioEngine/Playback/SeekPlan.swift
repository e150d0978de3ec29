import Units

/// The planned effect of a seek. `seekDone` reports its completion and the exact position.
public enum SeekPlan: Equatable, Sendable {
  /// No change: nothing audible can be sought yet, or the position is already reached.
  case stays
  /// The position is buffered and plays at once. In seconds, from the start of the programme or file.
  case jumps(to: Double)
  /// The file is requested from this second on, and plays when enough of it is buffered.
  case reloads(from: Double)

  /// No change, for this reason.
  case refused(SeekRefusal)

  /// The target in seconds; nil for no change.
  public var position: Double? {
    switch self {
    case .stays, .refused: nil
    case .jumps(let place), .reloads(let place): place
    }
  }
}

extension SeekPlan {
  init(_ actions: [TransportAction], _ look: ProgrammeSnapshot) {
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
