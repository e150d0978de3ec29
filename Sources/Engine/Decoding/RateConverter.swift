import Blocks
import CSpeexDSP
import Units

/// Converts a programme's rate to the sink's, by libspeexdsp; the decode thread's.
///
/// Used only where a sink cannot follow: a file after a change of rate, or a card that lacks the rate.
public struct RateConverter: ~Copyable {
  private let resampler: OpaquePointer
  /// The programme's rate.
  public let from: SampleRate
  /// The sink's rate.
  public let to: SampleRate
  private let input: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>
  private var waiting = 0
  private var taken = 0

  private static let quality: Int32 = 8

  /// nil where libspeexdsp has no memory (speex_resampler_init).
  public init?(from: SampleRate, to: SampleRate) {
    var failure: Int32 = 0
    guard
      let state = speex_resampler_init(
        UInt32(Period.channels), UInt32(from.hertz), UInt32(to.hertz), Self.quality, &failure)
    else { return nil }
    speex_resampler_skip_zeros(state)
    resampler = state
    self.from = from
    self.to = to
    input = .allocate(capacity: Period.longestPart * Period.channels)
    output = .allocate(capacity: Period.longestPart * Period.channels)
  }

  deinit {
    speex_resampler_destroy(resampler)
    input.deallocate()
    output.deallocate()
  }

  /// Takes a period's frames; the last ones must have been drawn off by `next`.
  public mutating func take(_ frames: UnsafePointer<Int32>, count: Int) {
    precondition(waiting == 0 && count <= Period.longestPart, "one period at a time is converted")
    for index in 0..<(count * Period.channels) { input[index] = Float(frames[index]) }
    waiting = count
    taken = 0
  }

  /// Takes as much silence as lies inside the filter, so that the last frames come out.
  public mutating func takeTail() {
    precondition(waiting == 0, "one period at a time is converted")
    waiting = min(Period.longestPart, Int(speex_resampler_get_input_latency(resampler)))
    taken = 0
    input.update(repeating: 0, count: waiting * Period.channels)
  }

  /// Writes up to a period of converted frames; 0 when all that was taken is used up.
  public mutating func next(_ out: UnsafeMutablePointer<Int32>) -> Int {
    while waiting > 0 {
      var used = UInt32(waiting)
      var made = UInt32(Period.longestPart)
      guard
        speex_resampler_process_interleaved_float(
          resampler, input + taken * Period.channels, &used, output, &made) == 0, used > 0 || made > 0
      else {
        waiting = 0
        return 0
      }
      waiting -= Int(used)
      taken += Int(used)
      if made > 0 {
        for index in 0..<(Int(made) * Period.channels) {
          out[index] = Int32(max(-8_388_608, min(8_388_607, output[index])).rounded())
        }
        return Int(made)
      }
    }
    return 0
  }
}
