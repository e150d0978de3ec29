import AudioOutput
import CLinux
import Network
import RadioEngine
import System
import Units

/// Plays an address silently to test it as a preset's new address.
protocol CandidateListening: AnyObject {
  func test(_ request: StationRequest)
  func cancel()
  func finish()
  /// Returns the result of a finished test, only once; nil otherwise.
  func removeVerdict() -> CandidateVerdict?
}

enum CandidateVerdict: Equatable, Sendable {
  /// The address played as a live station for `minSeconds` seconds.
  case played
  case failed(String)
}

/// Tests an address on a separate thread, with a radio without output. Control thread only; only `finish` blocks.
final class CandidateListener: CandidateListening {
  /// Seconds of audio that an address must play within `timeout`.
  static let minSeconds = 30.0
  static let timeout = Duration(milliseconds: 60_000)
  /// Number of blocks; enough for 8 s at the usual maximum bit rate.
  private static let blockCount = 64
  private static let closeTimeout = Duration(milliseconds: 5_000)

  private final class TestState: Sendable {
    /// The result; nil until the radio is closed.
    let verdict = Locked<CandidateVerdict?>(nil)
    let isCancelled = WakeFlag()
    let isDone = WakeFlag()
  }

  private let clock: Clock
  private var testState: TestState?
  private var thread: OwnedThread?
  private var isCancelled = false
  /// The request to test after the previous radio is closed.
  private var next: StationRequest?

  init(_ clock: Clock) { self.clock = clock }

  deinit { finish() }

  func test(_ request: StationRequest) {
    cancel()
    next = request
    begin()
  }

  func cancel() {
    next = nil
    isCancelled = true
    testState?.isCancelled.raise()
  }

  func removeVerdict() -> CandidateVerdict? {
    guard let verdict = testState?.verdict.withLock({ $0 }) else { return nil }
    defer { begin() }
    testState = nil
    thread = nil
    return isCancelled ? nil : verdict
  }

  /// Cancels the test and waits up to 5 s for its thread, then abandons the thread.
  func finish() {
    cancel()
    guard let desk = testState.take(), let thread = thread.take() else { return }
    if desk.isDone.wait(Self.closeTimeout, by: clock) { thread.join() } else { thread.abandon() }
  }

  private func begin() {
    guard testState == nil, let request = next.take() else { return }
    isCancelled = false
    let (desk, clock) = (TestState(), clock)
    self.testState = desk
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

  // MARK: Test thread

  private static func verdict(on request: StationRequest, _ cancelled: Int32, _ clock: Clock) -> CandidateVerdict {
    var settings = RadioSettings()
    settings.blockCount = blockCount
    settings.steers = false
    let radio: Radio
    do throws(RadioError) { radio = try Radio(settings, OutputRequest(.null), clock: clock) } catch {
      return .failed(error.description)
    }
    defer { _ = radio.close() }
    let end = clock.now() + timeout
    var request = request
    // Without retries, because a failed test is repeated on another day.
    request.retry = .times(0)
    radio.tune(request)
    while radio.state != .stopped {
      let status = radio.status
      if status.heard >= minSeconds {
        return status.facts?.isLive == false ? .failed("It is a file, not a station.") : .played
      }
      let left = end - clock.now()
      guard left > .zero, bk_wait_readable(cancelled, 0) <= 0 else { break }
      radio.step(min(left, Duration(milliseconds: 1_000)), watching: cancelled)
    }
    return .failed(radio.fault?.sentence ?? "It gave \(Int(radio.status.heard)) s of sound.")
  }
}
