import AudioOutput
import Blocks
import System

/// Why there is no radio.
public enum RadioError: Error, CustomStringConvertible {
  /// Its memory could not be had.
  case noMemory(ArenaError)
  /// Its sound cannot go where it should.
  case noSink(SinkError)
  /// One of its threads could not be started.
  case noThread(ThreadError)

  /// A sentence for people.
  public var description: String {
    switch self {
    case .noMemory(let error): error.description
    case .noSink(let error): error.description
    case .noThread(let error): error.description
    }
  }

  /// Whether sound was to go where it never can (exit code 2).
  public var isWrongUse: Bool { if case .noSink(.terminal) = self { true } else { false } }

  /// Whether hardware is missing.
  public var isHardware: Bool {
    if case .noSink(let error) = self { error.isHardware } else { false }
  }
}
