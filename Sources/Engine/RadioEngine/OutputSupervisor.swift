import AudioOutput
import Units

/// Who has the sound device, and what becomes of that: another program may want it, it may fail and come back, and the
/// machine may sleep (R10.1).
///
/// A value without a clock and without a device: each input comes with its moment and gives actions, which are carried
/// out in their order.
struct OutputSupervisor: Equatable {
  /// Why the radio does not have the device. Reasons overlap: sound comes when none is left.
  struct Causes: OptionSet, Hashable {
    let rawValue: UInt8
    /// Somebody said so.
    static let command = Causes(rawValue: 1)
    /// The device is gone, or another program has it.
    static let device = Causes(rawValue: 2)
    /// The machine slept.
    static let sleep = Causes(rawValue: 4)
  }

  /// Where the device is.
  enum State: Equatable {
    /// With the radio.
    case ours
    /// With the radio until it has played what it was given. Causes may end meanwhile; where none is left, the device
    /// is taken again as soon as it is let go. A device that failed is tried again at `retry`.
    case ending(Causes, since: MonotonicTime, retry: MonotonicTime)
    /// Let go; for a cause beyond the device itself, or for none while it is being taken again.
    case away(Causes)
    /// Gone by itself, or with another program that nobody told us of: it is tried again and again.
    case missing(next: MonotonicTime)
  }

  enum Input: Equatable {
    /// Another program is to have the device, or is to have it no more.
    case suspend, endSuspension
    /// The machine slept.
    case slept
    /// The device failed.
    case failed(SinkError)
    /// What the device was given has been played, or is lost; then it may be that not all of it was heard.
    case released(hasUnheard: Bool)
    /// The device was taken again, or was not to be had.
    case takenUp
    case refused(SinkError)
    /// Time passed.
    case due
  }

  enum Action: Equatable {
    /// Tell that the device is gone, that it is back, that the sound is about to be suspended, and that it is.
    case tellLost(SinkError), tellBack, tellWillSuspend, tellSuspended
    /// Close what is left of a device that failed.
    case closeLost
    /// Pause what plays, and fall silent.
    case fallSilent
    /// Try to let go of the device: `released` tells that it is.
    case release
    /// Go back to what was not heard.
    case goBack
    /// Try to take the device: `takenUp` or `refused` tells of it.
    case takeUp
    /// Decode for the device that is there now.
    case followDevice
    /// Go on with what was paused.
    case goOn
    /// Make the connections anew, which did not outlive the sleep.
    case renewConnections
  }

  private(set) var state = State.ours
  /// What keeps the sound from its device; nil while nothing does, or somebody else has it.
  private(set) var failure: SinkError?
  /// Why the device was missing from the start, until that is told.
  private var untoldAbsence: SinkError?
  /// When a device was last back.
  private var lastBack: MonotonicTime?
  /// So often a device that is missing is tried.
  private let retryInterval: Duration

  /// The sound that a device still has ends within this; one that takes longer stands still.
  static let longestEnd = Duration(milliseconds: 2_500)
  /// One that has just failed may be mended by opening it anew, unless it had failed a moment before.
  private static let firstRetry = Duration(milliseconds: 100)
  /// So long one is left alone that had failed a moment before: else a reader that opens and closes a pipe again and
  /// again says how often that is told.
  private static let laterRetry = Duration(milliseconds: 1_000)
  /// One that works for so long has not failed a moment before.
  private static let proof = Duration(milliseconds: 5_000)

  /// A device that is the radio's, or one that is missing from the start. `isCard` tells a card from a pipe.
  init(isCard: Bool, absence: SinkError? = nil, at now: MonotonicTime) {
    retryInterval = Duration(milliseconds: isCard ? 1_000 : 100)
    guard let absence else { return }
    (failure, untoldAbsence) = (absence, absence)
    state = .missing(next: now + retryInterval)
  }

  /// Whether the sound is interrupted, by whatever.
  var isSuspended: Bool { state != .ours }

  /// Whether the device was let go.
  var isReleased: Bool {
    switch state {
    case .ours, .ending: false
    case .away, .missing: true
    }
  }

  /// Whether the device is still to be let go.
  var isEnding: Bool { if case .ending = state { true } else { false } }

  /// Whether the machine slept, and the radio has not gone on yet.
  var hasSlept: Bool { causes.contains(.sleep) }

  /// Whether the device still plays what it was given; false after `longestEnd`.
  func isLettingGo(at now: MonotonicTime) -> Bool {
    if case .ending(_, let since, _) = state { now - since < Self.longestEnd } else { false }
  }

  /// How long nothing can become due.
  func patience(at now: MonotonicTime) -> Duration {
    switch state {
    case .ours, .away: .forever
    case .ending: Duration(milliseconds: isLettingGo(at: now) ? 2 : 50)
    case .missing(let next): max(.zero, next - now)
    }
  }

  private var causes: Causes {
    switch state {
    case .ours: []
    case .ending(let causes, _, _), .away(let causes): causes
    case .missing: .device
    }
  }

  /// What is to be told of a device that was missing from the start; once, when somebody may hear it.
  mutating func tellAbsence() -> [Action] {
    guard let absence = untoldAbsence else { return [] }
    untoldAbsence = nil
    return [.tellLost(absence), .tellWillSuspend, .tellSuspended]
  }

  /// Takes an input; what is to be done.
  mutating func take(_ input: Input, at now: MonotonicTime) -> [Action] {
    switch input {
    case .suspend: return interrupt(.command, at: now)
    case .slept: return interrupt(.sleep, at: now)
    case .failed(let error):
      failure = error
      let isNew = lastBack.map { now - $0 > Self.proof } ?? true
      let retry = now + (isNew ? Self.firstRetry : Self.laterRetry)
      return [.closeLost, .tellLost(error)] + interrupt(.device, at: now, retry: retry)
    case .endSuspension: return end(.command, at: now)
    case .released(let hasUnheard):
      guard case .ending(let causes, _, let retry) = state else { return [] }
      state = causes == .device ? .missing(next: retry) : .away(causes)
      return (hasUnheard ? [.goBack] : []) + [.tellSuspended]
    case .takenUp:
      guard isReleased else { return [] }
      let wasLost = causes.contains(.device)
      (state, failure) = (.ours, nil)
      if wasLost { lastBack = now }
      return [.followDevice] + (wasLost ? [.tellBack] : []) + [.goOn]
    case .refused(let error):
      guard isReleased else { return [] }
      let wasLost = causes.contains(.device)
      (state, failure) = (.missing(next: now + retryInterval), error)
      return wasLost ? [] : [.tellLost(error)]
    case .due: return due(at: now)
    }
  }

  private mutating func interrupt(
    _ cause: Causes, at now: MonotonicTime, retry: MonotonicTime = .zero
  ) -> [Action] {
    let all = causes.union(cause)
    switch state {
    case .ours:
      state = .ending(all, since: now, retry: retry)
      return [.tellWillSuspend, .fallSilent, .release]
    case .ending(_, let since, let before): state = .ending(all, since: since, retry: max(before, retry))
    case .away, .missing: state = all == .device ? .missing(next: retry) : .away(all)
    }
    return []
  }

  /// A cause is over.
  private mutating func end(_ cause: Causes, at now: MonotonicTime) -> [Action] {
    guard causes.contains(cause) else { return [] }
    let rest = causes.subtracting(cause)
    switch state {
    case .ending(_, let since, let retry):
      state = .ending(rest, since: since, retry: retry)
      return []
    case .away:
      state = rest == .device ? .missing(next: now) : .away(rest)
      return rest.isSubset(of: .device) ? [.takeUp] : []
    case .ours, .missing: return []
    }
  }

  private mutating func due(at now: MonotonicTime) -> [Action] {
    switch state {
    case .ours, .ending: return []
    // The device, which may not have outlived the sleep, was let go.
    case .away(let causes) where causes.contains(.sleep): return end(.sleep, at: now) + [.renewConnections]
    case .away(let causes): return causes.isEmpty ? [.takeUp] : []
    case .missing(let next): return now >= next ? [.takeUp] : []
    }
  }
}
