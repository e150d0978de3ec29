import AudioOutput
import CCard
import Foundation
import TestSupport

/// A simulated sound card, made by `CCard` from a clock and a folder. A test can unplug it, break it or occupy it. It
/// uses the test's clock.
public final class BenchCard {
  /// The condition of the card.
  public enum State: String, Sendable {
    case there
    /// Unplugged: the card reports nothing more.
    case gone
    /// Writes fail, but the card still reports its position.
    case broken
    /// A write does not return.
    case hung
  }

  private let folder = TemporaryFolder()

  /// Creates a card in a state.
  public init(_ state: State = .there) {
    self.state = state
    write(state)
    folder.write(Array("\(TestClock.current.speed)".utf8), to: "speed")
  }

  /// The ALSA device name.
  public var device: String { "bench:\(folder.path)" }

  /// An output request for this card.
  public var output: OutputRequest {
    var output = OutputRequest(.alsa(device))
    (output.periodMilliseconds, output.bufferMilliseconds) = (100, 400)
    return output
  }

  /// The current condition.
  public var state: State {
    didSet { write(state) }
  }

  private func write(_ state: State) { folder.write(Array(state.rawValue.utf8), to: "state") }

  /// Makes the card refuse to drop queued frames (snd_pcm_rewind).
  public func refuseRewind() { folder.write(Array("no".utf8), to: "rewind") }

  /// True if a program has opened the card.
  public var isOpen: Bool { FileManager.default.fileExists(atPath: folder.path + "/open") }

  /// Occupies the card as another program. Returns false if it is already open.
  public func occupy() -> Bool {
    let file = open(folder.path + "/open", O_WRONLY | O_CREAT | O_EXCL, 0o600)
    if file >= 0 { close(file) }
    return file >= 0
  }

  /// Frees the card from the other program.
  public func free() { unlink(folder.path + "/open") }

  /// Supported rates in Hz for each ALSA sample format, such as "S16_LE". Empty: all rates.
  public var rates: [String: [Int]] = [:] {
    didSet {
      let lines = rates.map { "\($0.key) \($0.value.map(String.init).joined(separator: " "))\n" }
      folder.write(Array(lines.joined().utf8), to: "rates")
    }
  }

  /// Adds a mixer. `control`: the name and the range in dB, such as "Digital -60 0".
  public func addMixer(_ control: String) { folder.write(Array("\(control)\n".utf8), to: "mixer") }

  /// All mixer settings in order: hundredths of a dB, or "off".
  public var volumes: [String] {
    String(decoding: folder.bytes(of: "volumes"), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// A drain of the card.
  public struct Drain: Sendable {
    /// Number of frames played so far.
    public var playedFrameCount: Int
    /// Number of frames written since the card was prepared.
    public var writtenFrameCount: Int
    /// The card's period in frames.
    public var period: Int
    /// Number of silent frames that fill the last period.
    public var silentFrameCount: Int
  }

  /// All drains in order.
  public var drains: [Drain] {
    String(decoding: folder.bytes(of: "drains"), as: UTF8.self).split(separator: "\n").compactMap { line in
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 4 else { return nil }
      return Drain(
        playedFrameCount: numbers[0], writtenFrameCount: numbers[1], period: numbers[2], silentFrameCount: numbers[3])
    }
  }

  /// The played audio as 16-bit stereo, without the silence that fills the last period before a drain.
  public var playedPcm: [UInt8] {
    var bytes = playedPcmWithFill
    for drain in drains.reversed() {
      let end = min(bytes.count, drain.playedFrameCount * 4)
      bytes.removeSubrange(min(end, (drain.playedFrameCount - drain.silentFrameCount) * 4)..<end)
    }
    return bytes
  }

  /// The played audio as 16-bit stereo, with the silence before a drain.
  public var playedPcmWithFill: [UInt8] { folder.bytes(of: "pcm") }
}
