import AudioOutput
import CCard
import Foundation

/// A sound card that is a clock and a folder (CCard): it is unplugged, breaks and is taken by others as a test wants.
public final class BenchCard {
  /// What may be wrong with it.
  public enum State: String, Sendable {
    case there
    /// Unplugged: it tells nothing more.
    case gone
    /// Writing fails, and it tells how far it came.
    case broken
  }

  private let folder = TemporaryFolder()

  /// A card that is there, or is not yet.
  public init(_ state: State = .there) {
    self.state = state
    write(state)
  }

  /// The name that ALSA knows it by.
  public var device: String { "bench:\(folder.path)" }

  /// Sound to it.
  public var output: OutputRequest {
    var output = OutputRequest(.alsa(device))
    (output.periodMilliseconds, output.bufferMilliseconds) = (100, 400)
    return output
  }

  /// What is wrong with it.
  public var state: State {
    didSet { write(state) }
  }

  private func write(_ state: State) { folder.write(Array(state.rawValue.utf8), to: "state") }

  /// Whether some program has it.
  public var isTaken: Bool { FileManager.default.fileExists(atPath: folder.path + "/open") }

  /// Another program takes it; false where one has it already.
  public func take() -> Bool {
    let file = open(folder.path + "/open", O_WRONLY | O_CREAT | O_EXCL, 0o600)
    if file >= 0 { close(file) }
    return file >= 0
  }

  /// That program lets it go.
  public func letGo() { unlink(folder.path + "/open") }

  /// What was heard, 16-bit stereo.
  public var heard: [UInt8] { folder.bytes(of: "pcm") }
}
