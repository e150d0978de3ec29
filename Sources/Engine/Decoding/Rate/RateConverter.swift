import Blocks
import CSpeexDSP
import Units

/// Converts sample rates with libspeexdsp. Decode thread only.
///
/// Needed only if a sink cannot change to the programme's rate: an open file, or a card that does not support the rate.
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
  /// Converted frames of a primer that `next` leaves out.
  private var skipped = 0

  private static let quality: Int32 = 8

  /// Returns nil if memory is exhausted (speex_resampler_init).
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
    input = .allocate(capacity: Period.maxPart * Period.channels)
    output = .allocate(capacity: Period.maxPart * Period.channels)
  }

  deinit {
    speex_resampler_destroy(resampler)
    input.deallocate()
    output.deallocate()
  }

  /// Consumes a period's frames of two 24-bit samples; all earlier output must have been read with `next`.
  public mutating func consume(_ frames: UnsafePointer<Int32>, count: Int) {
    precondition(waiting == 0 && count <= Period.maxPart, "one period at a time is converted")
    for index in 0..<(count * Period.channels) { input[index] = Float(frames[index]) }
    waiting = count
    taken = 0
  }

  /// Consumes silence for the filter's delay, so that `next` writes the last frames.
  public mutating func flush() {
    precondition(waiting == 0, "one period at a time is converted")
    waiting = min(Period.maxPart, Int(speex_resampler_get_input_latency(resampler)))
    taken = 0
    input.update(repeating: 0, count: waiting * Period.channels)
  }

  /// Consumes the first frames after the programme's end, instead of silence: of audio that continues elsewhere.
  public mutating func flush(into frames: UnsafePointer<Int32>, count: Int) {
    consume(frames, count: min(count, Period.maxPart, Int(speex_resampler_get_input_latency(resampler))))
  }

  /// Returns the number of frames for `prime`, about 10 ms.
  public static func primerCount(from: SampleRate, to: SampleRate) -> Int {
    var (one, other) = (Int(from.hertz), Int(to.hertz))
    while other != 0 { (one, other) = (other, one % other) }
    let unit = Int(from.hertz) / one
    return unit * max(1, 400 / unit)
  }

  /// Consumes the last `primerCount` frames before the programme's first frame, so that its start has no edge. `next`
  /// does not write them.
  public mutating func prime(_ frames: UnsafePointer<Int32>) {
    let count = Self.primerCount(from: from, to: to)
    guard count <= Period.maxPart else { return }
    consume(frames, count: count)
    skipped = count * Int(to.hertz) / Int(from.hertz)
    while waiting > 0 { skipped -= process() }
  }

  /// Writes up to a period of converted frames and returns their count; 0 if more input is needed.
  public mutating func next(_ out: UnsafeMutablePointer<Int32>) -> Int {
    while true {
      let made = convert(out)
      let left = min(skipped, made)
      skipped -= left
      if made == 0 || left < made {
        if left > 0 { out.update(from: out + left * Period.channels, count: (made - left) * Period.channels) }
        return made - left
      }
    }
  }

  private mutating func convert(_ out: UnsafeMutablePointer<Int32>) -> Int {
    while waiting > 0 {
      let made = process()
      guard made > 0 else { continue }
      for index in 0..<(made * Period.channels) {
        out[index] = Int32(max(-8_388_608, min(8_388_607, output[index])).rounded())
      }
      return made
    }
    return 0
  }

  /// Converts a part of the input into `output`, and returns the number of converted frames.
  private mutating func process() -> Int {
    var used = UInt32(waiting)
    var made = UInt32(Period.maxPart)
    guard
      speex_resampler_process_interleaved_float(
        resampler, input + taken * Period.channels, &used, output, &made) == 0, used > 0 || made > 0
    else {
      waiting = 0
      return 0
    }
    waiting -= Int(used)
    taken += Int(used)
    return Int(made)
  }
}
