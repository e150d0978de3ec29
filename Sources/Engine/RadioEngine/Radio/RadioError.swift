import AudioOutput
import Blocks
import System

/// The reason why a radio cannot be created.
public enum RadioError: Error, CustomStringConvertible {
  /// The memory is not available.
  case noMemory(ArenaError)
  /// The sink cannot be opened.
  case noSink(SinkError)
  /// A thread could not be started.
  case noThread(ThreadError)

  /// A sentence for people.
  public var description: String {
    switch self {
    case .noMemory(let error): error.description
    case .noSink(let error): error.description
    case .noThread(let error): error.description
    }
  }

  /// True if the output can never accept audio (exit code 2).
  public var isWrongUse: Bool { if case .noSink(.terminal) = self { true } else { false } }

  /// True if hardware is missing.
  public var isHardware: Bool {
    if case .noSink(let error) = self { error.isHardware } else { false }
  }
}
