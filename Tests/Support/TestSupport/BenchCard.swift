import AudioOutput
import CCard
import Foundation

/// A sound card that is a clock and a folder (CCard): it is unplugged, breaks and is taken by others as a test wants.
/// Its clock goes as that of the test.
public final class BenchCard {
  /// What may be wrong with it.
  public enum State: String, Sendable {
    case there
    /// Unplugged: it tells nothing more.
    case gone
    /// Writing fails, and it tells how far it came.
    case broken
    /// A write does not return.
    case hung
  }

  private let folder = TemporaryFolder()

  /// A card that is there, or is not yet.
  public init(_ state: State = .there) {
    self.state = state
    write(state)
    folder.write(Array("\(TestClock.current.speed)".utf8), to: "speed")
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

  /// The rates that it plays, by the sample format as ALSA calls it, such as "S16_LE"; empty: all.
  public var rates: [String: [Int]] = [:] {
    didSet {
      let lines = rates.map { "\($0.key) \($0.value.map(String.init).joined(separator: " "))\n" }
      folder.write(Array(lines.joined().utf8), to: "rates")
    }
  }

  /// Gives it a mixer: the name of its control, and the range in dB, such as "Digital -60 0".
  public func addMixer(_ control: String) { folder.write(Array("\(control)\n".utf8), to: "mixer") }

  /// What its mixer was set to, one after the other: hundredths of a dB, or "off".
  public var volumes: [String] {
    String(decoding: folder.bytes(of: "volumes"), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// One drain of the card.
  public struct Drain: Sendable {
    /// Frames heard so far.
    public var heard: Int
    /// Frames given since the card was prepared.
    public var given: Int
    /// The card's period in frames.
    public var period: Int
    /// Frames of silence that fill the last period.
    public var fill: Int
  }

  /// Every drain so far.
  public var drains: [Drain] {
    String(decoding: folder.bytes(of: "drains"), as: UTF8.self).split(separator: "\n").compactMap { line in
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 4 else { return nil }
      return Drain(heard: numbers[0], given: numbers[1], period: numbers[2], fill: numbers[3])
    }
  }

  /// What was heard, 16-bit stereo, without the silence that fills the last period before a drain.
  public var heard: [UInt8] {
    var bytes = heardWithFill
    for drain in drains.reversed() {
      let end = min(bytes.count, drain.heard * 4)
      bytes.removeSubrange(min(end, (drain.heard - drain.fill) * 4)..<end)
    }
    return bytes
  }

  /// What was heard, with that silence.
  public var heardWithFill: [UInt8] { folder.bytes(of: "pcm") }
}
