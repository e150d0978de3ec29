import AudioOutput
import Control
import RadioEngine
import Units

/// The radio of the box: makes it, makes it anew where its sink failed, and tells what keeps the sound from it. The
/// control thread's.
final class RadioKeeper {
  /// The radio, its player and its volume; nil while there is none.
  private(set) var tuner: Tuner?
  /// What clients drive while there is none: a player that knows presets and queue, and plays nothing.
  private let silentPlayer = PlayerController(AbsentRadio())
  /// Why there is no radio: the file that it was to play to cannot be written.
  private var sinkFailure: SinkError?
  private var nextTry = MonotonicTime.zero
  /// What the radios before this one did, whose sinks failed.
  private var played = Summary()

  private static let retryInterval = Duration(milliseconds: 5_000)
  private static let failurePause = Duration(milliseconds: 1_000)

  /// The radio's player, or one that plays nothing.
  var player: PlayerController { tuner?.player ?? silentPlayer }

  /// Why nothing can be played for now, as a sentence; nil where there is a radio.
  var absence: String? { tuner == nil ? sinkFailure?.description : nil }

  /// What keeps the sound from where it goes; nil where nothing does.
  var sinkError: SinkError? { tuner == nil ? sinkFailure : tuner?.radio.sinkTrouble }

  /// When a radio is to be made; `never` while there is one.
  var due: MonotonicTime { tuner == nil ? nextTry : .never }

  /// Ends a radio whose sink failed for good; whether there was one.
  func endFailed(at now: MonotonicTime) -> Bool {
    guard let tuner, let failure = tuner.radio.sinkFailure else { return false }
    log(.warning, failure.description)
    sinkFailure = failure
    played.add(tuner.radio.close())
    self.tuner = nil
    nextTry = now + Self.failurePause
    return true
  }

  /// Makes a radio where there is none, at most every five seconds; nil where none was made. A card that is not there
  /// is the radio's own business: it waits for it.
  func make(at now: MonotonicTime, _ open: () throws(RadioError) -> Tuner?) -> Tuner? {
    guard tuner == nil, now >= nextTry else { return nil }
    nextTry = now + Self.retryInterval
    do throws(RadioError) {
      guard let made = try open() else { return nil }
      (tuner, sinkFailure) = (made, nil)
      return made
    } catch {
      if case .noSink(let failure) = error, failure == sinkFailure { return nil }
      log(.warning, error.description)
      if case .noSink(let failure) = error { sinkFailure = failure }
      return nil
    }
  }

  /// Ends the radio; what all of them did.
  func close() -> Summary {
    if let tuner { played.add(tuner.radio.close()) }
    return played
  }
}

extension Summary {
  /// The run in a sentence.
  var line: String {
    let counts = [(underruns, "underrun"), (stitches, "stitch"), (titles, "title")].map { count, word in
      "\(count) \(word)\(count == 1 ? "" : word.hasSuffix("h") ? "es" : "s")"
    }
    return "Played \(Int(heard)) s, \(counts.joined(separator: ", "))."
  }
}
