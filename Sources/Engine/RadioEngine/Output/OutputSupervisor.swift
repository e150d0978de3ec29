import AudioOutput
import Units

/// Decides who owns the sound device (R10.1): another program may need it, it may fail and return, and the machine may
/// sleep.
///
/// A value without a clock or device: each input carries its time. The caller performs the returned actions in order.
struct OutputSupervisor: Equatable {
  /// The reasons why the radio does not have the device. Playback resumes when no cause remains.
  struct Causes: OptionSet, Hashable {
    let rawValue: UInt8
    static let command = Causes(rawValue: 1)
    /// The device is missing, or another program uses it.
    static let device = Causes(rawValue: 2)
    static let sleep = Causes(rawValue: 4)
  }

  enum State: Equatable {
    case ours
    /// The radio owns the device until the device has played its buffer. If all causes end before that, the device is
    /// reopened after its release. A failed device is not reopened before `retry`.
    case ending(Causes, since: MonotonicTime, retry: MonotonicTime)
    /// The device is released; without causes it is being reopened.
    case away(Causes)
    /// The device is missing, or another program uses it without notice; the radio retries.
    case missing(next: MonotonicTime)
  }

  enum Input: Equatable {
    /// Another program needs the device, or no longer needs it.
    case suspend, endSuspension
    case slept
    case failed(SinkError)
    /// The device played its buffer, or lost it if `hasUnheard` is true.
    case released(hasUnheard: Bool)
    /// The device was reopened, or could not be.
    case takenUp
    case refused(SinkError)
    case due
  }

  enum Action: Equatable {
    /// Report the lost device, its return, the coming suspension, or the suspension.
    case reportLost(SinkError), reportReturn, reportWillSuspend, reportSuspended
    case closeLost
    case fallSilent
    /// Try to release the device; the answer is `released`.
    case release
    case goBack
    /// Try to reopen the device; the answer is `takenUp` or `refused`.
    case reopen
    case followDevice
    case resume
    /// Replace the connections, which did not survive the sleep.
    case renewConnections
  }

  private(set) var state = State.ours
  /// The device's last failure; nil if the device works, and during a suspension by command.
  private(set) var failure: SinkError?
  private var unreportedAbsence: SinkError?
  private var lastBack: MonotonicTime?
  private let retryInterval: Duration

  /// Maximum time in which a device plays its buffer. A slower device has stalled.
  static let maxEnding = Duration(milliseconds: 2_500)
  /// Delay before a reopening, unless the device had failed shortly before.
  private static let firstRetry = Duration(milliseconds: 100)
  /// Delay after a recent failure; limits the events if a reader keeps opening and closing a pipe.
  private static let laterRetry = Duration(milliseconds: 1_000)
  /// A failure is recent if the device returned at most this time before.
  private static let failureFreeTime = Duration(milliseconds: 5_000)

  init(isCard: Bool, absence: SinkError? = nil, at now: MonotonicTime) {
    retryInterval = Duration(milliseconds: isCard ? 1_000 : 100)
    guard let absence else { return }
    (failure, unreportedAbsence) = (absence, absence)
    state = .missing(next: now + retryInterval)
  }

  var isSuspended: Bool { state != .ours }

  var isReleased: Bool {
    switch state {
    case .ours, .ending: false
    case .away, .missing: true
    }
  }

  /// True while the device must still be released.
  var isEnding: Bool { if case .ending = state { true } else { false } }

  /// True after a sleep until the radio resumes.
  var hasSlept: Bool { causes.contains(.sleep) }

  /// True while the device plays its buffer; false after `maxEnding`.
  func isLettingGo(at now: MonotonicTime) -> Bool {
    if case .ending(_, let since, _) = state { now - since < Self.maxEnding } else { false }
  }

  /// Returns the time until the next deadline.
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

  /// Returns the report about a device that was missing at the start, once.
  mutating func reportAbsence() -> [Action] {
    guard let absence = unreportedAbsence else { return [] }
    unreportedAbsence = nil
    return [.reportLost(absence), .reportWillSuspend, .reportSuspended]
  }

  mutating func process(_ input: Input, at now: MonotonicTime) -> [Action] {
    switch input {
    case .suspend: return interrupt(.command, at: now)
    case .slept: return interrupt(.sleep, at: now)
    case .failed(let error):
      failure = error
      let isNew = lastBack.map { now - $0 > Self.failureFreeTime } ?? true
      let retry = now + (isNew ? Self.firstRetry : Self.laterRetry)
      return [.closeLost, .reportLost(error)] + interrupt(.device, at: now, retry: retry)
    case .endSuspension: return end(.command, at: now)
    case .released(let hasUnheard):
      guard case .ending(let causes, _, let retry) = state else { return [] }
      state = causes == .device ? .missing(next: retry) : .away(causes)
      return (hasUnheard ? [.goBack] : []) + [.reportSuspended]
    case .takenUp:
      guard isReleased else { return [] }
      let wasLost = causes.contains(.device)
      (state, failure) = (.ours, nil)
      if wasLost { lastBack = now }
      return [.followDevice] + (wasLost ? [.reportReturn] : []) + [.resume]
    case .refused(let error):
      guard isReleased else { return [] }
      let wasLost = causes.contains(.device)
      (state, failure) = (.missing(next: now + retryInterval), error)
      return wasLost ? [] : [.reportLost(error)]
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
      return [.reportWillSuspend, .fallSilent, .release]
    case .ending(_, let since, let before): state = .ending(all, since: since, retry: max(before, retry))
    case .away, .missing: state = all == .device ? .missing(next: retry) : .away(all)
    }
    return []
  }

  private mutating func end(_ cause: Causes, at now: MonotonicTime) -> [Action] {
    guard causes.contains(cause) else { return [] }
    let rest = causes.subtracting(cause)
    switch state {
    case .ending(_, let since, let retry):
      state = .ending(rest, since: since, retry: retry)
      return []
    case .away:
      state = rest == .device ? .missing(next: now) : .away(rest)
      return rest.isSubset(of: .device) ? [.reopen] : []
    case .ours, .missing: return []
    }
  }

  private mutating func due(at now: MonotonicTime) -> [Action] {
    switch state {
    case .ours, .ending: return []
    // The device was released after the sleep, because it may not have survived the sleep.
    case .away(let causes) where causes.contains(.sleep): return end(.sleep, at: now) + [.renewConnections]
    case .away(let causes): return causes.isEmpty ? [.reopen] : []
    case .missing(let next): return now >= next ? [.reopen] : []
    }
  }
}
