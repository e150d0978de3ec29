import Blocks
import Units

/// Makes a sound a little longer or shorter, so that a station's clock and a sink's agree; the decode thread's.
///
/// At a ratio of 1 frames go untouched and at once. Steering begins and ends at a whole frame, where the kernel is that
/// frame and nothing else, so that there is no seam, and no frame is lost or heard twice.
public struct Interpolator: ~Copyable {
  private let kernel = InterpolationKernel()
  private var rounding: SampleRounding

  /// What was taken, by channels, from `past` frames before `first` on.
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  /// Frames out before they are rounded: each is two sums for the left and two for the right.
  private let sums: UnsafeMutablePointer<SIMD4<Float>>
  private var end = Self.past
  /// Where the programme ends, when silence was laid behind it.
  private var programmeEnd: Int?

  /// The frame that the next one out follows,
  private var first = Self.past
  /// and how far, in 2^-32 of a frame.
  private var place: Int64 = 0
  /// How much farther than one frame each frame out goes, in 2^-32 of a frame.
  private var stride: Int64 = 0
  private var wantedStride: Int64 = 0

  private static let past = InterpolationKernel.past
  /// Frames in which the taps go along one straight line.
  private static let run = 8
  /// Runs of the same stride.
  private static let mostRuns = 8
  /// What a run needs from `first` on; it may begin one frame later than was foreseen.
  private static let reach = run + InterpolationKernel.future + 1
  private static let capacity = past + 2 * reach + Period.frameCapacity

  /// A whole frame in units of `place`.
  private static let whole: Int64 = 1 << 32
  /// The most that the stride changes by from one to the next: at 44.1 kHz 0.3 % takes half a second.
  private static let slew = whole / 120_000
  /// The stride for what is left to a whole frame: it takes a quarter of a second at most.
  private static let landing = whole / 10_000

  /// Steers sounds whose samples are rounded to `depth`, as a decoder rounds them.
  public init(_ depth: SampleDepth) {
    rounding = SampleRounding(depth)
    left = .allocate(capacity: Self.capacity)
    right = .allocate(capacity: Self.capacity)
    sums = .allocate(capacity: Self.mostRuns * Self.run)
    left.initialize(repeating: 0, count: Self.capacity)
    right.initialize(repeating: 0, count: Self.capacity)
  }

  deinit {
    left.deallocate()
    right.deallocate()
    sums.deallocate()
  }

  /// Whether frames go untouched from now on, and none is to come out any more.
  public var isIdle: Bool { isStill && wantedStride == 0 && first == end }

  /// At a whole frame, where every frame out is one that was taken.
  private var isStill: Bool { place == 0 && stride == 0 }

  /// How much of what was taken has not come out yet; exact to 2^-32 of a frame and a tick.
  public func pending(at rate: SampleRate) -> StreamTime {
    let whole = StreamTime(frames: FrameCount((programmeEnd ?? end) - first), at: rate)
    return whole - StreamTime(ticks: (place * StreamTime.ticksPerSecond / Int64(rate.hertz)) >> 32)
  }

  /// From now on so many frames come out for a frame in; approached slowly enough to be no sound of its own.
  public mutating func steer(to ratio: ClockRatio) {
    wantedStride = Int64(((1 / ratio.value - 1) * Double(Self.whole)).rounded())
  }

  /// Begins anew at another place in the programme or in another one; the ratio stays, and is approached again.
  public mutating func reset() {
    left.update(repeating: 0, count: Self.past)
    right.update(repeating: 0, count: Self.past)
    first = Self.past
    end = Self.past
    programmeEnd = nil
    place = 0
    stride = 0
  }

  /// Takes a period's frames of two 24-bit samples, which then come out of `next`; false where they are to be heard as
  /// they stand. All that came before must have been drawn off.
  public mutating func take(_ frames: UnsafePointer<Int32>, count: Int) -> Bool {
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

  /// Lets the last frames come out; once `next` has given them, all stands as after `reset`.
  public mutating func takeTail() {
    guard !isIdle, programmeEnd == nil else { return }
    letGo()
    programmeEnd = end
    (left + end).update(repeating: 0, count: Self.reach)
    (right + end).update(repeating: 0, count: Self.reach)
    end += Self.reach
  }

  /// Keeps what the next frames out are made of; what ought to have been drawn off is lost.
  private mutating func letGo() {
    first = max(first, end - Self.reach)
    let dropped = first - Self.past
    assert(dropped >= 0 && first <= end, "what comes next was taken, with what lies before it")
    left.update(from: left + dropped, count: end - dropped)
    right.update(from: right + dropped, count: end - dropped)
    first -= dropped
    end -= dropped
  }

  /// Writes up to a period of frames; 0 when more has to be taken first.
  public mutating func next(_ out: UnsafeMutablePointer<Int32>) -> Int {
    var made = 0
    let last = min(end - Self.reach, (programmeEnd ?? end) - 1)
    while made + Self.run <= Period.frameCapacity, first <= last {
      let runs = min(Self.mostRuns, (Period.frameCapacity - made) / Self.run, (last - first) / Self.run + 1)
      changeStride(within: runs * Self.run)
      if isStill && wantedStride == 0 { break }
      makeRuns(runs, out + made * Period.channels)
      made += runs * Self.run
    }
    if isStill && wantedStride == 0 { made += drain(out + made * Period.channels, most: Period.frameCapacity - made) }
    if let programmeEnd, first >= programmeEnd { made -= endProgramme(programmeEnd) }
    return made
  }

  /// One step towards the stride that is wanted; where that is none, to a whole frame.
  private mutating func changeStride(within count: Int) {
    let isNearNext = place >= Self.whole / 2
    let goal = wantedStride != 0 ? wantedStride : isNearNext ? Self.landing : -Self.landing
    stride += max(-Self.slew, min(Self.slew, goal - stride))
    guard wantedStride == 0, abs(stride) <= Self.landing else { return }
    let way = isNearNext ? Self.whole - place : -place
    guard abs(way) <= Int64(count) * Self.landing else { return }
    stride = way / Int64(count)
    // What is left is less than any sample can tell.
    if stride == 0 {
      place = 0
      first += isNearNext ? 1 : 0
    }
  }

  /// Makes so many runs with one stride.
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

  /// Makes a run from `first` on, each frame with the taps of the last and the slope.
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

  /// Products of taps and samples, added up to four.
  @inline(__always)
  private static func fold(_ taps: SIMD16<Float>, _ samples: UnsafeMutablePointer<Float>) -> SIMD4<Float> {
    let products = taps * UnsafeRawPointer(samples).loadUnaligned(as: SIMD16<Float>.self)
    let half = products.lowHalf + products.highHalf
    return half.lowHalf + half.highHalf
  }

  /// Four sums of each channel added up to two. Lanes are moved as whole numbers: the compiler would move them before
  /// it adds, which is four times the work.
  @inline(__always)
  private static func halve(_ left: SIMD4<Float>, _ right: SIMD4<Float>) -> SIMD4<Float> {
    let left = unsafeBitCast(left, to: SIMD2<UInt64>.self)
    let right = unsafeBitCast(right, to: SIMD2<UInt64>.self)
    return unsafeBitCast(SIMD2(left[0], right[0]), to: SIMD4<Float>.self)
      + unsafeBitCast(SIMD2(left[1], right[1]), to: SIMD4<Float>.self)
  }

  /// At a whole frame what is still there comes out as it was taken.
  private mutating func drain(_ out: UnsafeMutablePointer<Int32>, most: Int) -> Int {
    let count = max(0, min(most, (programmeEnd ?? end) - first))
    for frame in 0..<count {
      out[2 * frame] = Int32(left[first + frame])
      out[2 * frame + 1] = Int32(right[first + frame])
    }
    first += count
    return count
  }

  /// How many of the frames made last lie behind the programme.
  private mutating func endProgramme(_ programmeEnd: Int) -> Int {
    let beyond = Int64(first - programmeEnd) * Self.whole + place
    var surplus = 0
    while surplus < Self.run, beyond >= Int64(surplus + 1) * (Self.whole + stride) { surplus += 1 }
    reset()
    return surplus
  }
}
