import Network

/// The reason why the radio left a source (F7).
public enum SourceReason: Equatable, Sendable {
  /// The listener chose another source.
  case choice
  /// Missing audio for this time in seconds, 0 if unknown; the fault of the source, nil without a fault.
  case noAudio(seconds: Int, PlaybackFault?)
  /// A fault for which waiting is useless; nil if a file cannot be read.
  case fault(PlaybackFault?)
  /// A level of silence for this time in seconds.
  case quiet(seconds: Int)
  /// Repetition of audio for this time in seconds.
  case loop(seconds: Int)
  /// A line that is too slow for the bit rate of the source (F6).
  case slowLine(LowerRate)
  /// An ad that the source announced (B4).
  case ad

  /// The fault of the source; nil without a fault.
  public var fault: PlaybackFault? {
    switch self {
    case .noAudio(_, let fault), .fault(let fault): fault
    case .choice, .quiet, .loop, .slowLine, .ad: nil
    }
  }

  /// The reason as a sentence.
  public var sentence: String {
    switch self {
    case .choice: "The listener chose another source."
    case .noAudio(let seconds, let fault):
      [seconds > 0 ? "No audio for \(seconds) s." : "No audio.", fault?.sentence].compactMap { $0 }
        .joined(separator: " ")
    case .fault(let fault): fault?.sentence ?? "The source cannot be played."
    case .quiet(let seconds): "Only silence for \(seconds) s."
    case .loop(let seconds): "The same audio again for \(seconds) s."
    case .slowLine(let rate): rate.reason
    case .ad: "An ad is on."
    }
  }

  /// The reason as one word: the word of the fault, or else a word for each case.
  public var word: String {
    if let fault { return fault.cause.rawValue }
    return switch self {
    case .choice: "choice"
    case .noAudio: "noAudio"
    case .fault: "unplayable"
    case .quiet: "quiet"
    case .loop: "loop"
    case .slowLine: "slowLine"
    case .ad: "ad"
    }
  }
}
