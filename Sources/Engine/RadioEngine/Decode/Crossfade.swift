import Blocks
import Decoding
import Units

/// The last audio of an encoder, mixed into the first audio of the next one with linear weights. Decode thread only.
///
/// The memory exists only from the change of the encoder until the mixed audio is decoded.
struct Crossfade: ~Copyable {
  /// Rate of the new audio.
  let rate: SampleRate
  /// Frames of two samples at `rate`: the primer, already played, and the audio to mix.
  private let samples: UnsafeMutablePointer<Int32>
  private let capacity: Int
  private var count = 0
  /// Number of frames of the primer, and of the frames before the next one to mix.
  private var primerCount = 0
  private var place = 0
  private var converter: RateConverter?
  private let converted: UnsafeMutablePointer<Int32>
  /// The first frames to mix at the old rate, which end an old conversion.
  private let lead: UnsafeMutablePointer<Int32>
  private var leadCount = 0

  /// Duration of the mixed audio.
  static let length = StreamTime(seconds: 1)

  /// `rate`: of the new audio.
  init(at rate: SampleRate) {
    self.rate = rate
    // The primer is a packet.
    capacity = Self.length.frames(at: rate).value * 3 / 2
    samples = .allocate(capacity: capacity * Period.channels)
    converted = .allocate(capacity: Period.frameCapacity * Period.channels)
    lead = .allocate(capacity: Period.maxPart * Period.channels)
  }

  deinit {
    samples.deallocate()
    converted.deallocate()
    lead.deallocate()
  }

  // MARK: The old audio

  var hasPrimer: Bool { primerCount > 0 }

  /// Appends old audio that is played, at most a period's part, so that a conversion of the new audio has no edge.
  mutating func appendPrimer(_ frames: UnsafePointer<Int32>, count number: Int, at rate: SampleRate) {
    primerCount += number * Int(self.rate.hertz) / Int(rate.hertz)
    store(frames, number, at: rate)
  }

  /// Appends old audio to mix, at most a period's part. Ignores what exceeds the capacity.
  mutating func append(_ frames: UnsafePointer<Int32>, count number: Int, at rate: SampleRate) {
    if leadCount == 0 {
      leadCount = min(number, Period.maxPart)
      lead.update(from: frames, count: leadCount * Period.channels)
    }
    store(frames, number, at: rate)
  }

  /// Ends the old audio.
  mutating func finish() {
    converter?.flush()
    storeConverted()
    converter = nil
    primerCount = min(primerCount, count)
    place = primerCount
  }

  private mutating func store(_ frames: UnsafePointer<Int32>, _ number: Int, at rate: SampleRate) {
    guard rate != self.rate else { return store(frames, number) }
    if converter?.from != rate { converter = RateConverter(from: rate, to: self.rate) }
    converter?.consume(frames, count: number)
    storeConverted()
  }

  private mutating func storeConverted() {
    while let made = converter?.next(converted), made > 0 { store(converted, made) }
  }

  private mutating func store(_ frames: UnsafePointer<Int32>, _ number: Int) {
    let number = min(number, capacity - count)
    (samples + count * Period.channels).update(from: frames, count: number * Period.channels)
    count += number
  }

  // MARK: The new audio

  /// True if all old audio is mixed.
  var isOver: Bool { place == count }

  /// Ends the conversion of the old audio as if it continued.
  func end(_ converter: inout RateConverter?) {
    if leadCount > 0 { converter?.flush(into: lead, count: leadCount) } else { converter?.flush() }
  }

  /// Starts the conversion of the new audio as if it had been the programme before.
  func prime(_ converter: inout RateConverter?) {
    guard let to = converter?.to, converter?.from == rate else { return }
    let needed = RateConverter.primerCount(from: rate, to: to)
    if place == primerCount, needed <= primerCount {
      converter?.prime(samples + (primerCount - needed) * Period.channels)
    }
  }

  /// Mixes the next old audio into new audio at the new rate.
  mutating func mix(into frames: UnsafeMutablePointer<Int32>, count number: Int) {
    let last = min(number, count - place)
    let old = samples + place * Period.channels
    for frame in 0..<last {
      let weight = Float(place - primerCount + frame + 1) / Float(count - primerCount + 1)
      for index in (frame * Period.channels)..<((frame + 1) * Period.channels) {
        let sample = Float(old[index])
        frames[index] = Int32((sample + weight * (Float(frames[index]) - sample)).rounded())
      }
    }
    place += last
  }
}
