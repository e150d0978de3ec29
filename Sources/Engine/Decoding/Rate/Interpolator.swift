import Blocks
import Units

/// Stretches or shrinks sound slightly, so that a station's clock and a sink's agree. Decode thread only.
///
/// At a ratio of 1, frames pass unchanged and without delay. Correction starts and ends at whole frames, where the
/// kernel is exact: without a seam, and without lost or repeated frames.
public struct Interpolator: ~Copyable {
  private let kernel = InterpolationKernel()
  private var rounding: SampleRounding

  /// The input per channel, from at least `past` frames before `first` on.
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  /// Unrounded output frames, each two sums for left and two for right.
  private let sums: UnsafeMutablePointer<SIMD4<Float>>
  private var end = Self.past
  /// The programme's end in the input, after which silence was added; nil before `flush`.
  private var programmeEnd: Int?

  /// The index of the last input frame at or before the next output frame.
  private var first = Self.past
  /// The distance of the next output frame from `first`, in 2^-32 of a frame.
  private var place: Int64 = 0
  /// The distance between output frames minus one frame, in 2^-32 of a frame.
  private var stride: Int64 = 0
  private var wantedStride: Int64 = 0

  private static let past = InterpolationKernel.past
  /// Output frames per run; the taps change linearly within a run.
  private static let run = 8
  /// The maximum number of runs with one stride.
  private static let maxRuns = 8
  /// The input frames that a run needs from `first` on; the run may start one frame later than expected.
  private static let reach = run + InterpolationKernel.future + 1
  private static let capacity = past + 2 * reach + Period.frameCapacity

  /// One frame in units of `place`.
  private static let whole: Int64 = 1 << 32
  /// The maximum change of the stride per `changeStride`: at 44.1 kHz, 0.3 % takes half a second.
  private static let slew = whole / 120_000
  /// The stride for the approach to a whole frame, which takes at most a quarter of a second.
  private static let landing = whole / 10_000

  /// Creates an interpolator with output rounded to `depth`.
  public init(_ depth: SampleDepth) {
    rounding = SampleRounding(depth)
    left = .allocate(capacity: Self.capacity)
    right = .allocate(capacity: Self.capacity)
    sums = .allocate(capacity: Self.maxRuns * Self.run)
    left.initialize(repeating: 0, count: Self.capacity)
    right.initialize(repeating: 0, count: Self.capacity)
  }

  deinit {
    left.deallocate()
    right.deallocate()
    sums.deallocate()
  }

  /// True if frames pass unchanged and no output is pending.
  public var isIdle: Bool { isStill && wantedStride == 0 && first == end }

  /// True if the next output frame is a whole input frame, at a ratio of 1.
  private var isStill: Bool { place == 0 && stride == 0 }

  /// Returns the duration of the input that is not yet output, exact to 2^-32 of a frame and a tick.
  public func pending(at rate: SampleRate) -> StreamTime {
    let whole = StreamTime(frames: FrameCount((programmeEnd ?? end) - first), at: rate)
    return whole - StreamTime(ticks: (place * StreamTime.ticksPerSecond / Int64(rate.hertz)) >> 32)
  }

  /// Sets the output frames per input frame; the change is gradual and inaudible.
  public mutating func steer(to ratio: ClockRatio) {
    wantedStride = Int64(((1 / ratio.value - 1) * Double(Self.whole)).rounded())
  }

  /// Drops the input, for another place or programme. The wanted ratio remains, and the stride approaches it again.
  public mutating func reset() {
    left.update(repeating: 0, count: Self.past)
    right.update(repeating: 0, count: Self.past)
    first = Self.past
    end = Self.past
    programmeEnd = nil
    place = 0
    stride = 0
  }

  /// Consumes a period's frames of two 24-bit samples for `next`. Returns false if the caller must use the frames
  /// unchanged.
  /// All earlier output must have been read.
  public mutating func consume(_ frames: UnsafePointer<Int32>, count: Int) -> Bool {
    precondition(count <= Period.frameCapacity, "one period at a time is taken")
    let isUntouched = isIdle
    let skipped = isUntouched ? max(0, count - Self.past) : 0
    letGo()
    for frame in skipped..<count {
      left[end] = Float(frames[2 &* frame])
      right[end] = Float(frames[2 &* frame &+ 1])
      end &+= 1
    }
    assert(end <= Self.capacity, "what is kept and a period have room")
    if isUntouched { first = end }
    return !isUntouched
  }

  /// Adds silence so that `next` writes the last frames; `next` then resets the interpolator.
  public mutating func flush() {
    guard !isIdle, programmeEnd == nil else { return }
    letGo()
    programmeEnd = end
    (left + end).update(repeating: 0, count: Self.reach)
    (right + end).update(repeating: 0, count: Self.reach)
    end += Self.reach
  }

  /// Drops the used input. If the caller has not read all output, also drops the input of that output.
  private mutating func letGo() {
    first = max(first, end - Self.reach)
    let dropped = first - Self.past
    assert(dropped >= 0 && first <= end, "what comes next was taken, with what lies before it")
    left.update(from: left + dropped, count: end - dropped)
    right.update(from: right + dropped, count: end - dropped)
    first -= dropped
    end -= dropped
  }

  /// Writes up to a period of frames and returns their count; 0 if more input is needed.
  public mutating func next(_ out: UnsafeMutablePointer<Int32>) -> Int {
    var made = 0
    let last = min(end - Self.reach, (programmeEnd ?? end) - 1)
    while made + Self.run <= Period.frameCapacity, first <= last {
      let runs = min(Self.maxRuns, (Period.frameCapacity - made) / Self.run, (last - first) / Self.run + 1)
      changeStride(within: runs * Self.run)
      if isStill && wantedStride == 0 { break }
      makeRuns(runs, out + made * Period.channels)
      made += runs * Self.run
    }
    if isStill && wantedStride == 0 { made += drain(out + made * Period.channels, most: Period.frameCapacity - made) }
    if let programmeEnd, first >= programmeEnd { made -= endProgramme(programmeEnd) }
    return made
  }

  /// Changes the stride by one step towards `wantedStride`. At a wanted ratio of 1, moves towards a whole frame.
  private mutating func changeStride(within count: Int) {
    let isNearNext = place >= Self.whole / 2
    let goal = wantedStride != 0 ? wantedStride : isNearNext ? Self.landing : -Self.landing
    stride += max(-Self.slew, min(Self.slew, goal - stride))
    guard wantedStride == 0, abs(stride) <= Self.landing else { return }
    let way = isNearNext ? Self.whole - place : -place
    guard abs(way) <= Int64(count) * Self.landing else { return }
    stride = way / Int64(count)
    // The rest is below the precision of a sample.
    if stride == 0 {
      place = 0
      first += isNearNext ? 1 : 0
    }
  }

  private mutating func makeRuns(_ runs: Int, _ out: UnsafeMutablePointer<Int32>) {
    let way = stride * Int64(Self.run)
    var taps = kernel.taps(at: place)
    for index in 0..<runs {
      assert(
        first >= Self.past && first + Self.run + InterpolationKernel.future <= end, "a run is made of what is held")
      let slope = (kernel.taps(at: place &+ way) - taps) * (1 / Float(Self.run))
      addUp(&taps, slope, sums + index &* Self.run)
      first &+= Self.run
      place &+= way
      if place < 0 || place >= Self.whole {
        first += place < 0 ? -1 : 1
        place &= Self.whole - 1
        taps = kernel.taps(at: place)
      }
    }
    assert(place >= 0 && place < Self.whole, "a place lies between two frames")
    rounding.round(sums, count: runs * Self.run, out)
  }

  /// Computes a run from `first` on; each frame uses the previous taps plus the slope.
  @inline(__always)
  private func addUp(_ taps: inout SIMD16<Float>, _ slope: SIMD16<Float>, _ sums: UnsafeMutablePointer<SIMD4<Float>>) {
    let left = left + (first &- Self.past), right = right + (first &- Self.past)
    for pair in 0..<Self.run / 2 {
      let frame = 2 &* pair
      sums[frame] = Self.halve(Self.fold(taps, left + frame), Self.fold(taps, right + frame))
      taps += slope
      sums[frame &+ 1] = Self.halve(Self.fold(taps, left + frame + 1), Self.fold(taps, right + frame + 1))
      taps += slope
    }
  }

  /// Multiplies taps and samples and reduces the products to four sums.
  @inline(__always)
  private static func fold(_ taps: SIMD16<Float>, _ samples: UnsafeMutablePointer<Float>) -> SIMD4<Float> {
    let products = taps * UnsafeRawPointer(samples).loadUnaligned(as: SIMD16<Float>.self)
    let half = products.lowHalf + products.highHalf
    return half.lowHalf + half.highHalf
  }

  /// Reduces four sums per channel to two. Moves lanes as integers, because the compiler would otherwise move them
  /// before the addition, at four times the cost.
  @inline(__always)
  private static func halve(_ left: SIMD4<Float>, _ right: SIMD4<Float>) -> SIMD4<Float> {
    let left = unsafeBitCast(left, to: SIMD2<UInt64>.self)
    let right = unsafeBitCast(right, to: SIMD2<UInt64>.self)
    return unsafeBitCast(SIMD2(left[0], right[0]), to: SIMD4<Float>.self)
      + unsafeBitCast(SIMD2(left[1], right[1]), to: SIMD4<Float>.self)
  }

  /// Writes the remaining input unchanged, at a whole frame; returns the number of frames.
  private mutating func drain(_ out: UnsafeMutablePointer<Int32>, most: Int) -> Int {
    let count = max(0, min(most, (programmeEnd ?? end) - first))
    for frame in 0..<count {
      out[2 * frame] = Int32(left[first + frame])
      out[2 * frame + 1] = Int32(right[first + frame])
    }
    first += count
    return count
  }

  /// Resets the state; returns the number of output frames beyond the programme's end.
  private mutating func endProgramme(_ programmeEnd: Int) -> Int {
    let beyond = Int64(first - programmeEnd) * Self.whole + place
    var surplus = 0
    while surplus < Self.run, beyond >= Int64(surplus + 1) * (Self.whole + stride) { surplus += 1 }
    reset()
    return surplus
  }
}
