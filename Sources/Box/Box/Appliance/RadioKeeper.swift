import AudioOutput
import Control
import RadioEngine
import Units

/// Creates the box's radio, and recreates it after its sink failed. Control thread only.
final class RadioKeeper {
  private(set) var tuner: Tuner?
  private let silentPlayer = PlayerController(AbsentRadio())
  private var sinkFailure: SinkError?
  /// True if the last attempt failed for want of memory.
  private(set) var lacksMemory = false
  private var nextTry = MonotonicTime.zero
  private var totals = Summary()

  private static let retryInterval = Duration(milliseconds: 5_000)
  private static let failurePause = Duration(milliseconds: 1_000)

  init() {
    // Without an output, `VolumeControl` refuses each change.
    silentPlayer.volume.connect { _, _ in }
  }

  var player: PlayerController { tuner?.player ?? silentPlayer }

  /// The reason for the missing radio, as a sentence; nil if there is a radio.
  var absence: String? { tuner == nil ? sinkFailure?.description : nil }

  var sinkError: SinkError? { tuner == nil ? sinkFailure : tuner?.radio.sinkTrouble }

  var due: MonotonicTime { tuner == nil ? nextTry : .never }

  func endFailed(at now: MonotonicTime) -> Bool {
    guard let tuner, let failure = tuner.radio.sinkFailure else { return false }
    log(.warning, failure.description)
    sinkFailure = failure
    totals.add(tuner.radio.close())
    self.tuner = nil
    nextTry = now + Self.failurePause
    return true
  }

  /// Creates a missing radio, at most once in 5 s. If only the card is missing, the radio itself waits for it.
  func make(at now: MonotonicTime, _ open: () throws(RadioError) -> Tuner?) -> Tuner? {
    guard tuner == nil, now >= nextTry else { return nil }
    nextTry = now + Self.retryInterval
    do throws(RadioError) {
      lacksMemory = false
      guard let made = try open() else { return nil }
      (tuner, sinkFailure) = (made, nil)
      return made
    } catch {
      if case .noMemory = error { lacksMemory = true }
      if case .noSink(let failure) = error, failure == sinkFailure { return nil }
      log(.warning, error.description)
      if case .noSink(let failure) = error { sinkFailure = failure }
      return nil
    }
  }

  /// Removes and returns the times of day in the responses of servers.
  func removeServerTimes() -> [ServerTime] { tuner?.radio.removeServerTimes() ?? [] }

  func close() -> Summary {
    if let tuner { totals.add(tuner.radio.close()) }
    return totals
  }
}

extension Summary {
  var line: String {
    let counts = [(underruns, "underrun"), (stitches, "stitch"), (titles, "title")].map { count, word in
      "\(count) \(word)\(count == 1 ? "" : word.hasSuffix("h") ? "es" : "s")"
    }
    return "Played \(Int(heard)) s, \(counts.joined(separator: ", "))."
  }
}
