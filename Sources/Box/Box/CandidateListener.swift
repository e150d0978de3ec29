import AudioOutput
import CLinux
import Network
import RadioEngine
import System
import Units

/// Hears an address silently, for the relocation of presets: `CandidateListener`, and in tests something without a
/// network.
protocol CandidateListening: AnyObject {
  /// Begins to hear an address; what is heard already is left.
  func hear(_ request: StationRequest)
  /// Hears no more.
  func cancel()
  /// Hears no more, and waits a little for the end of what runs.
  func finish()
  /// What became of what was heard, once; nil while that is not known, and where nothing is heard.
  func takeVerdict() -> CandidateVerdict?
}

/// What became of an address that was heard silently.
enum CandidateVerdict: Equatable, Sendable {
  /// It gave sound for long enough, as a station without an end.
  case sounded
  /// It did not, and why.
  case failed(String)
}

/// A second radio on a thread of its own, that nobody hears: it has a few blocks, plays into nothing, and is gone as
/// soon as an address gave half a minute of sound, or did not. The control thread's, which never waits for it but in
/// `finish`.
final class CandidateListener: CandidateListening {
  /// So much sound an address has to give, in seconds, within so long.
  static let enough = 30.0
  static let patience = Duration(milliseconds: 60_000)
  /// Eight seconds at the highest usual bit rate.
  private static let blockCount = 64
  /// What the radio's end may take.
  private static let farewell = Duration(milliseconds: 5_000)

  /// What both threads know.
  private final class Desk: Sendable {
    /// Nil until the radio is gone.
    let verdict = Locked<CandidateVerdict?>(nil)
    /// Raised when the thread is to end, and when it is about to.
    let isCancelled = WakeFlag()
    let isDone = WakeFlag()
  }

  private let clock: Clock
  private var desk: Desk?
  private var thread: OwnedThread?
  private var isCancelled = false
  /// What is heard once the radio before is gone.
  private var next: StationRequest?

  init(_ clock: Clock) { self.clock = clock }

  deinit { finish() }

  func hear(_ request: StationRequest) {
    cancel()
    next = request
    begin()
  }

  func cancel() {
    next = nil
    isCancelled = true
    desk?.isCancelled.raise()
  }

  func takeVerdict() -> CandidateVerdict? {
    guard let verdict = desk?.verdict.withLock({ $0 }) else { return nil }
    defer { begin() }
    desk = nil
    thread = nil
    return isCancelled ? nil : verdict
  }

  /// Hears no more, and waits for the radio's end; a thread that does not end is left to the end of the program.
  func finish() {
    cancel()
    guard let desk = desk.take(), let thread = thread.take() else { return }
    if desk.isDone.wait(Self.farewell, by: clock) { thread.join() } else { thread.abandon() }
  }

  private func begin() {
    guard desk == nil, let request = next.take() else { return }
    isCancelled = false
    let (desk, clock) = (Desk(), clock)
    self.desk = desk
    do throws(ThreadError) {
      thread = try OwnedThread("candidate") {
        let verdict = Self.verdict(on: request, desk.isCancelled.descriptor, clock)
        desk.verdict.withLock { $0 = verdict }
        desk.isDone.raise()
      }
    } catch {
      desk.verdict.withLock { $0 = .failed(error.description) }
    }
  }

  // MARK: Its own thread

  private static func verdict(on request: StationRequest, _ cancelled: Int32, _ clock: Clock) -> CandidateVerdict {
    var settings = RadioSettings()
    settings.blockCount = blockCount
    settings.steers = false
    let radio: Radio
    do throws(RadioError) { radio = try Radio(settings, OutputRequest(.null), clock: clock) } catch {
      return .failed(error.description)
    }
    defer { _ = radio.close() }
    let end = clock.now() + patience
    var request = request
    // What breaks off is tried another day.
    request.retry = .times(0)
    radio.tune(request)
    while radio.state != .stopped {
      let status = radio.status
      if status.heard >= enough {
        return status.facts?.isLive == false ? .failed("It is a file, and no station.") : .sounded
      }
      let left = end - clock.now()
      guard left > .zero, bk_wait_readable(cancelled, 0) <= 0 else { break }
      radio.step(min(left, Duration(milliseconds: 1_000)), watching: cancelled)
    }
    return .failed(radio.fault?.sentence ?? "It gave \(Int(radio.status.heard)) s of sound.")
  }
}
