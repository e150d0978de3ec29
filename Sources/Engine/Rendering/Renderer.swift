import Blocks
import Units

/// The reason why rendering stopped.
public enum RenderStop: BitwiseCopyable, Sendable {
  /// All requested frames were written.
  case full
  /// The ring has no decoded period, or the requested duration was already played.
  case dry
  /// The next period has another rate.
  case newFormat
  /// The last frame of the programme, or of the requested duration, was written.
  case end
  /// The listener paused, and any fade-out is complete.
  case paused
}

/// The result of one call of the renderer.
public struct Rendered: BitwiseCopyable, Sendable {
  /// Frames written.
  public var frameCount: Int
  /// The reason for the stop.
  public var stop: RenderStop

  @_noLocks @_noAllocation
  init(_ frameCount: Int, _ stop: RenderStop) {
    self.frameCount = frameCount
    self.stop = stop
  }
}

/// Renders periods of the wanted programme: applies taps, gain and fades. Samples are 24 bits in an `Int32`. Without
/// gain, fade and taps, the samples stay bit-exact. Render thread.
public struct Renderer: ~Copyable {
  private var reader: PeriodReader
  private let board: UnsafePointer<StatusBoard>
  private let taps: TapChain
  private var offset = 0
  private var fade = Fade()
  private var quiet = QuietMeter()
  private var gain = Gain.unity
  private var lastLeft: Int32 = 0
  private var lastRight: Int32 = 0
  /// The sink's rate; before the first `setRate` 1 Hz, so that the first period requests its format.
  public private(set) var rate = unsetRate
  /// Number of the programme that plays or played last.
  public private(set) var epoch: UInt32 = 0
  /// Seek number of the last rendered period.
  public private(set) var seek: UInt32 = 0
  private var wanted: UInt32 = 0
  private var wantedSeek: UInt32 = 0
  private var readySeek: UInt32 = 0
  private var isPaused = false
  /// True if the listener left an audible programme for the next one, which then fades in.
  private var wasLeft = false
  /// True while programme plays: false at first, after an end, and after a fade-out.
  public private(set) var isSounding = false
  /// True if the requested duration was played; false again after another tuning or seek.
  private var isOver = false
  /// Stream time at the end of the last rendered frame.
  public private(set) var position = StreamTime.zero
  /// Rendered duration of the programme.
  public private(set) var played = StreamTime.zero

  /// Creates a renderer for the periods of `ring`, controlled by `board`.
  public init(
    _ ring: UnsafePointer<PeriodRing>, _ board: UnsafePointer<StatusBoard>, taps: TapChain = TapChain()
  ) {
    reader = PeriodReader(ring)
    self.board = board
    self.taps = taps
  }

  /// Returns true if the audio that plays was left by a tuning, or by a seek whose target is decoded.
  @_noLocks @_noAllocation
  public mutating func isLeft() -> Bool {
    readBoard()
    return isSounding && (epoch != wanted || seek != wantedSeek && readySeek == wantedSeek)
  }

  /// Returns true during a fade-out after a pause, tuning or seek.
  @_noLocks @_noAllocation
  public func isFalling() -> Bool { isSounding && fade.isFalling() }

  private static var unsetRate: SampleRate { SampleRate(1) }

  /// Returns true after the first `setRate`.
  @_noLocks @_noAllocation
  public func isRateSet() -> Bool { rate.hertz != 1 }

  /// Returns the frames of a complete fade-out, with the last frame silent.
  @_noLocks @_noAllocation
  public static func framesOfFall(at rate: SampleRate) -> Int { Int(Fade.frames(at: rate)) &+ 1 }

  /// Sets the sink's rate.
  public mutating func setRate(_ rate: SampleRate) { self.rate = rate }

  /// Returns true if a period is queued and the requested duration is not yet played.
  @_noLocks @_noAllocation
  public func hasPeriod() -> Bool { !isOver && !reader.isEmpty() }

  /// Returns the next queued period; call it only if there is one.
  @_noLocks @_noAllocation
  public func waiting() -> Period { reader.period() }

  /// Returns the stream time of the next frame; call it only if a period is queued.
  @_noLocks @_noAllocation
  public func next() -> StreamTime { offset == 0 ? reader.period().start : position }

  /// Renders up to `count` frames, of two samples each, to `out`.
  @_noLocks @_noAllocation
  public mutating func render(into out: UnsafeMutablePointer<Int32>, count: Int) -> Rendered {
    readBoard()
    if isOver { return Rendered(0, .dry) }
    var done = 0
    while done < count {
      if isSounding && fade.isClosed() { isSounding = false }
      if isPaused && !isSounding {
        dropStale()
        return Rendered(done, .paused)
      }
      if reader.isEmpty() { return Rendered(done, .dry) }
      let period = reader.period()
      // A wanted programme or seek is set before its periods are written, so it is visible now.
      if period.epoch != wanted || period.seek != wantedSeek { readBoard() }
      let isCut = isStale(period)
      if isCut && !(isSounding && isOfWhatSounds(period)) {
        drop()
        continue
      }
      if isSounding && !isOfWhatSounds(period) {
        if !fade.isFalling() { fade.fall(at: rate) }
        fall(out + done &* 2)
        done = done &+ 1
        continue
      }
      // An end without frames needs no format.
      if offset == 0 && period.frameCount > 0 && period.rate.hertz != rate.hertz { return Rendered(done, .newFormat) }
      if offset == 0 || !isSounding { begin(period, isCut: isCut) }
      let audible = isCut || isPaused ? min(framesLeft(), fade.framesToSilence()) : framesLeft()
      let taken = min(min(count &- done, Int(period.frameCount) &- offset), audible)
      if taken > 0 {
        copy(reader.samples() + offset &* 2, out + done &* 2, taken)
        done = done &+ taken
        advance(period, by: taken)
      }
      // At once: a station may send nothing after the requested duration.
      if taken == 0 && period.frameCount > 0 || !isCut && framesLeft() == 0 {
        isOver = true
        isSounding = false
        return Rendered(done, .end)
      }
      if offset == Int(period.frameCount) {
        drop()
        if period.flags.contains(.end) && !isCut && period.seek == wantedSeek {
          isSounding = false
          return Rendered(done, .end)
        }
      }
    }
    return Rendered(done, .full)
  }

  /// Returns true if a period is outdated. A period from before a seek plays until the target is decoded.
  @_noLocks @_noAllocation
  private func isStale(_ period: Period) -> Bool {
    if period.epoch != wanted { return true }
    return period.seek != wantedSeek && !(isSounding && readySeek != wantedSeek)
  }

  @_noLocks @_noAllocation
  private func isOfWhatSounds(_ period: Period) -> Bool { period.epoch == epoch && period.seek == seek }

  /// Ends playback, because the sink was lost or dropped its frames; subtracts the unplayed duration.
  @_noLocks @_noAllocation
  public mutating func lose(_ unheard: StreamTime) {
    isSounding = false
    lastLeft = 0
    lastRight = 0
    position = StreamTime(ticks: position.ticks &- unheard.ticks)
    played = StreamTime(ticks: max(0, played.ticks &- unheard.ticks))
  }

  /// Drops outdated periods; call it only while nothing is rendered.
  @_noLocks @_noAllocation
  public mutating func discardStale() {
    readBoard()
    dropStale()
  }

  @_noLocks @_noAllocation
  private mutating func dropStale() {
    while !reader.isEmpty() && isStale(reader.period()) { drop() }
  }

  /// Writes `count` frames without input: the last frame fades out, followed by silence.
  @_noLocks @_noAllocation
  public mutating func renderFall(into out: UnsafeMutablePointer<Int32>, count: Int) {
    if isSounding { fade.fall(at: rate) }
    for frame in 0..<count { fall(out + frame &* 2) }
    isSounding = false
    lastLeft = 0
    lastRight = 0
  }

  /// Fades out `count` frames, with the last frame silent.
  @_noLocks @_noAllocation
  public static func fadeOut(_ frames: UnsafeMutablePointer<Int32>, count: Int) {
    for frame in 0..<count {
      let level = Int32(truncatingIfNeeded: Int64(Gain.unity) &* Int64(count &- 1 &- frame) / Int64(max(1, count)))
      frames[2 &* frame] = scale(frames[2 &* frame], level)
      frames[2 &* frame &+ 1] = scale(frames[2 &* frame &+ 1], level)
    }
  }

  @_noLocks @_noAllocation
  private mutating func fall(_ out: UnsafeMutablePointer<Int32>) {
    let level = isSounding ? fade.next() : 0
    out[0] = Self.scale(lastLeft, level)
    out[1] = Self.scale(lastRight, level)
  }

  /// Fades in these frames, and the following ones, after an underrun of the sink.
  @_noLocks @_noAllocation
  public mutating func tear(_ frames: UnsafeMutablePointer<Int32>, count: Int) {
    fade.rise(at: rate)
    for frame in 0..<count {
      if fade.isOpen() { return }
      let level = fade.next()
      frames[2 &* frame] = Self.scale(frames[2 &* frame], level)
      frames[2 &* frame &+ 1] = Self.scale(frames[2 &* frame &+ 1], level)
    }
  }

  /// Reads the listener's orders. A pause, tuning or seek starts a fade-out, and its withdrawal reverses the fade-out.
  @_noLocks @_noAllocation
  private mutating func readBoard() {
    wanted = board.pointee.wantedEpoch.load(ordering: .acquiring)
    // In this order, because a seek is requested before it is ready.
    readySeek = board.pointee.readySeek.load(ordering: .acquiring)
    wantedSeek = board.pointee.wantedSeek.load(ordering: .acquiring)
    isPaused = board.pointee.isPaused.load(ordering: .acquiring)
    if epoch != wanted || seek != wantedSeek { isOver = false }
    let isLeft = epoch != wanted || seek != wantedSeek && readySeek == wantedSeek
    if !isSounding { return }
    if isLeft && wanted != 0 { wasLeft = true }
    if isPaused || isLeft {
      fade.fall(at: rate)
    } else if fade.isFalling() {
      fade.reopen(at: rate)
    }
  }

  /// About 26 minutes in ticks: a later limit is ignored for now.
  private static var farAway: Int64 { 1 << 40 }

  /// Returns the frames until the requested duration is played.
  @_noLocks @_noAllocation
  private func framesLeft() -> Int {
    let left = board.pointee.limit.load(ordering: .relaxed) &- played.ticks
    return left > Self.farAway ? Int.max : StreamTime(ticks: left).frames(at: rate).value
  }

  @_noLocks @_noAllocation
  private mutating func begin(_ period: Period, isCut: Bool) {
    if isCut { return }
    if !isSounding { gain = board.pointee.gain.load(ordering: .relaxed) }
    if period.epoch != epoch {
      epoch = period.epoch
      quiet.restart(board)
      played = StreamTime(ticks: 0)
      if wasLeft { fade.rise(at: rate) } else { fade.clear() }
    } else if !isSounding || period.flags.contains(.followsGap) {
      fade.rise(at: rate)
    }
    seek = period.seek
    wasLeft = false
    isSounding = true
  }

  @_noLocks @_noAllocation
  private mutating func advance(_ period: Period, by frames: Int) {
    offset = offset &+ frames
    let count = max(1, Int64(period.frameCount))
    let before = period.duration.ticks &* Int64(offset &- frames) / count
    let after = period.duration.ticks &* Int64(offset) / count
    position = StreamTime(ticks: period.start.ticks &+ after)
    played = StreamTime(ticks: played.ticks &+ after &- before)
    board.pointee.block.store(period.sequence, ordering: .relaxed)
    board.pointee.byteOffset.store(period.byteOffset, ordering: .relaxed)
  }

  @_noLocks @_noAllocation
  private mutating func drop() {
    reader.advance()
    offset = 0
  }

  @_noLocks @_noAllocation
  private mutating func copy(_ samples: UnsafePointer<Int32>, _ out: UnsafeMutablePointer<Int32>, _ count: Int) {
    if count == 0 { return }
    UnsafeMutableRawPointer(out).copyMemory(from: samples, byteCount: count &* 8)
    taps.run(out, count)
    quiet.measure(out, count, at: rate, board)
    let target = board.pointee.gain.load(ordering: .relaxed)
    if gain != target || !fade.isOpen() {
      let step = Fade.step(at: rate)
      for frame in 0..<count {
        gain = gain < target ? min(target, gain &+ step) : max(target, gain &- step)
        let level = Int32(truncatingIfNeeded: (Int64(gain) &* Int64(fade.next())) &>> Gain.fractionBits)
        out[2 &* frame] = Self.scale(out[2 &* frame], level)
        out[2 &* frame &+ 1] = Self.scale(out[2 &* frame &+ 1], level)
      }
    } else if gain != Gain.unity {
      Self.scale(out, count: count &* 2, gain)
    }
    lastLeft = out[2 &* count &- 2]
    lastRight = out[2 &* count &- 1]
  }

  /// Multiplies 24-bit samples by a `Gain` factor, rounds, and clips to 24 bits, as for one sample. A product below the
  /// clip has at most 47 bits, so that a `Double` is exact. A `Double` near 2^52 has only whole values, in its lowest
  /// bits. Half of the least product is added first, because a tie is rounded up here, not to even.
  @_noLocks @_noAllocation
  private static func scale(_ samples: UnsafeMutablePointer<Int32>, count: Int, _ level: Int32) {
    let factor = SIMD4(repeating: Double(level) * 0x1p-24)
    let tie = SIMD4<Double>(repeating: 0x1p-25)
    let whole = SIMD4<Double>(repeating: 0x1.8p52)
    // Clips after rounding, because the compiler would otherwise add to the limits too.
    let lowest = SIMD4<Double>(repeating: 0x1.8p52 - 8_388_608), highest = SIMD4(repeating: 0x1.8p52 + 8_388_607)
    let bytes = UnsafeMutableRawPointer(samples)
    for step in 0..<(count / 4) {
      let four = SIMD4<Double>(bytes.loadUnaligned(fromByteOffset: 16 &* step, as: SIMD4<Int32>.self))
      let rounded = four * factor + tie + whole
      let raised = lowest.replacing(with: rounded, where: rounded .> lowest)
      let clipped = highest.replacing(with: raised, where: raised .< highest)
      let halves = unsafeBitCast(clipped, to: SIMD8<Int32>.self)
      bytes.storeBytes(of: halves.evenHalf, toByteOffset: 16 &* step, as: SIMD4<Int32>.self)
    }
    for index in (count & ~3)..<count { samples[index] = scale(samples[index], level) }
  }

  /// Multiplies a 24-bit sample by a `Gain` factor, rounds, and clips to 24 bits.
  @_noLocks @_noAllocation
  private static func scale(_ sample: Int32, _ level: Int32) -> Int32 {
    let product = (Int64(sample) &* Int64(level) &+ Int64(Gain.unity / 2)) &>> Gain.fractionBits
    return Int32(truncatingIfNeeded: max(Int64(Period.lowestSample), min(Int64(Period.highestSample), product)))
  }
}
