import Blocks
import Units

/// Why a renderer stopped before, or with, the frames it was asked for.
public enum RenderStop: BitwiseCopyable, Sendable {
  /// All frames are there.
  case full
  /// Nothing more is decoded yet.
  case dry
  /// What follows has another format, and all before it was rendered.
  case newFormat
  /// The programme's last frame was rendered.
  case end
  /// The listener paused, and the sound has fallen.
  case paused
}

/// What one call of the renderer gave.
public struct Rendered: BitwiseCopyable, Sendable {
  /// Frames that were written.
  public var frameCount: Int
  /// Why no more.
  public var stop: RenderStop

  @_noLocks @_noAllocation
  init(_ frameCount: Int, _ stop: RenderStop) {
    self.frameCount = frameCount
    self.stop = stop
  }
}

/// What happens to a period before it is heard: taps, gain, ramps, and the programme that is wanted.
///
/// Samples are 24 bits in an `Int32`. Untouched samples stay bit-exact. Belongs to the render thread.
public struct Renderer: ~Copyable {
  private var reader: PeriodReader
  private let board: UnsafePointer<StatusBoard>
  private let taps: TapChain
  private var offset = 0
  private var fade = Fade()
  private var gain = Gain.unity
  private var lastLeft: Int32 = 0
  private var lastRight: Int32 = 0
  /// The rate that the sink was set to; no station's before it was set at all, so that the first period asks for it.
  public private(set) var rate = unsetRate
  /// The programme that sounds, or sounded last.
  public private(set) var epoch: UInt32 = 0
  /// The seek after which it sounds.
  public private(set) var seek: UInt32 = 0
  private var wanted: UInt32 = 0
  private var wantedSeek: UInt32 = 0
  private var readySeek: UInt32 = 0
  private var isPaused = false
  /// Whether programme sounds: false at first, after an end, and after a fade to silence.
  public private(set) var isSounding = false
  /// Whether the programme was played as far as was asked for.
  private var isOver = false
  /// The stream time at the end of what was rendered.
  public private(set) var position = StreamTime.zero
  /// What was rendered of the programme so far.
  public private(set) var played = StreamTime.zero

  /// A renderer of what `ring` brings, told and telling by `board`.
  public init(
    _ ring: UnsafePointer<PeriodRing>, _ board: UnsafePointer<StatusBoard>, taps: TapChain = TapChain()
  ) {
    reader = PeriodReader(ring)
    self.board = board
    self.taps = taps
  }

  /// Whether what sounds is on its way to silence, since the listener cut it.
  @_noLocks @_noAllocation
  public func isFalling() -> Bool { isSounding && fade.isFalling() }

  private static var unsetRate: SampleRate { SampleRate(1) }

  /// Whether the sink was set to any rate.
  public var isRateSet: Bool { rate != Self.unsetRate }

  /// Frames after which nothing is heard of what begins to fall.
  @_noLocks @_noAllocation
  public static func framesOfFall(at rate: SampleRate) -> Int { Int(Fade.frames(at: rate)) &+ 1 }

  /// Tells the renderer what format the sink was set to.
  public mutating func setRate(_ rate: SampleRate) { self.rate = rate }

  /// Whether a period of the wanted programme, or of the one that sounds, waits.
  @_noLocks @_noAllocation
  public func hasPeriod() -> Bool { !isOver && !reader.isEmpty() }

  /// The format of the period that waits; only while one does.
  @_noLocks @_noAllocation
  public func waiting() -> Period { reader.period() }

  /// The stream time of the frame that comes next; only while a period waits.
  @_noLocks @_noAllocation
  public func next() -> StreamTime { offset == 0 ? reader.period().start : position }

  /// Writes up to `count` frames to `out`.
  @_noLocks @_noAllocation
  public mutating func render(into out: UnsafeMutablePointer<Int32>, count: Int) -> Rendered {
    heed()
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
      // A period is written after its programme was wanted, so a wish that is heard now knows of it.
      if period.epoch != wanted || period.seek != wantedSeek { heed() }
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
      // An end without sound needs none.
      if offset == 0 && period.frameCount > 0 && period.rate.hertz != rate.hertz { return Rendered(done, .newFormat) }
      if offset == 0 || !isSounding { begin(period, isCut: isCut) }
      let audible = isCut || isPaused ? min(framesLeft(), fade.framesToSilence()) : framesLeft()
      let taken = min(min(count &- done, Int(period.frameCount) &- offset), audible)
      if taken == 0 && period.frameCount > 0 {
        isOver = true
        isSounding = false
        return Rendered(done, .end)
      }
      copy(reader.samples() + offset &* 2, out + done &* 2, taken)
      done = done &+ taken
      advance(period, by: taken)
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

  /// Whether a period is not to be heard any more. One that was decoded before a seek still is, until what was sought
  /// is there.
  @_noLocks @_noAllocation
  private func isStale(_ period: Period) -> Bool {
    if period.epoch != wanted { return true }
    return period.seek != wantedSeek && !(isSounding && readySeek != wantedSeek)
  }

  @_noLocks @_noAllocation
  private func isOfWhatSounds(_ period: Period) -> Bool { period.epoch == epoch && period.seek == seek }

  /// The sink is gone, and so much of what was rendered last was not heard: nothing sounds any more.
  @_noLocks @_noAllocation
  public mutating func lose(_ unheard: StreamTime) {
    isSounding = false
    lastLeft = 0
    lastRight = 0
    position = StreamTime(ticks: position.ticks &- unheard.ticks)
    played = StreamTime(ticks: max(0, played.ticks &- unheard.ticks))
  }

  /// Drops what is not to be heard any more; called while nobody renders.
  @_noLocks @_noAllocation
  public mutating func discardStale() {
    heed()
    dropStale()
  }

  /// Makes room for what the listener wants to hear after the pause.
  @_noLocks @_noAllocation
  private mutating func dropStale() {
    while !reader.isEmpty() && isStale(reader.period()) { drop() }
  }

  /// Writes `count` frames of the way down to silence when nothing more has come: the last level fades, no sound
  /// repeats.
  @_noLocks @_noAllocation
  public mutating func renderFall(into out: UnsafeMutablePointer<Int32>, count: Int) {
    if isSounding { fade.fall(at: rate) }
    for frame in 0..<count { fall(out + frame &* 2) }
    isSounding = false
    lastLeft = 0
    lastRight = 0
  }

  /// Writes one frame of it.
  @_noLocks @_noAllocation
  private mutating func fall(_ out: UnsafeMutablePointer<Int32>) {
    let level = isSounding ? fade.next() : 0
    out[0] = Self.scale(lastLeft, level)
    out[1] = Self.scale(lastRight, level)
  }

  /// The sink lost what it held: the frames that it is given next, and what follows them, rise from silence.
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

  /// Looks at what is wanted now; what sounds and is not wanted begins to fall.
  @_noLocks @_noAllocation
  private mutating func heed() {
    wanted = board.pointee.wantedEpoch.load(ordering: .acquiring)
    // Read in this order: what is ready was wanted before.
    readySeek = board.pointee.readySeek.load(ordering: .acquiring)
    wantedSeek = board.pointee.wantedSeek.load(ordering: .acquiring)
    isPaused = board.pointee.isPaused.load(ordering: .acquiring)
    if epoch != wanted || seek != wantedSeek { isOver = false }
    let isLeft = epoch != wanted || seek != wantedSeek && readySeek == wantedSeek
    if !isSounding { return }
    if isPaused || isLeft {
      fade.fall(at: rate)
    } else if fade.isFalling() {
      fade.reopen(at: rate)
    }
  }

  /// Ticks of some 26 minutes: an end that is farther away is no end yet.
  private static var farAway: Int64 { 1 << 40 }

  /// Frames until the programme was played as far as was asked for.
  @_noLocks @_noAllocation
  private func framesLeft() -> Int {
    let left = board.pointee.limit.load(ordering: .relaxed) &- played.ticks
    return left > Self.farAway ? Int.max : StreamTime(ticks: left).frames(at: rate).value
  }

  /// A period begins, or goes on after a pause.
  @_noLocks @_noAllocation
  private mutating func begin(_ period: Period, isCut: Bool) {
    if isCut { return }
    if !isSounding { gain = board.pointee.gain.load(ordering: .relaxed) }
    if period.epoch != epoch {
      epoch = period.epoch
      played = StreamTime(ticks: 0)
      fade.clear()
    } else if !isSounding || period.flags.contains(.followsGap) {
      fade.rise(at: rate)
    }
    seek = period.seek
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

  /// Copies frames, through the taps, the volume, and the ramps where one runs.
  @_noLocks @_noAllocation
  private mutating func copy(_ samples: UnsafePointer<Int32>, _ out: UnsafeMutablePointer<Int32>, _ count: Int) {
    if count == 0 { return }
    UnsafeMutableRawPointer(out).copyMemory(from: samples, byteCount: count &* 8)
    taps.run(out, count)
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
      for index in 0..<(count &* 2) { out[index] = Self.scale(out[index], gain) }
    }
    lastLeft = out[2 &* count &- 2]
    lastRight = out[2 &* count &- 1]
  }

  /// A sample of 24 bits by a factor, rounded and kept within 24 bits.
  @_noLocks @_noAllocation
  private static func scale(_ sample: Int32, _ level: Int32) -> Int32 {
    let product = (Int64(sample) &* Int64(level) &+ Int64(Gain.unity / 2)) &>> Gain.fractionBits
    return Int32(truncatingIfNeeded: max(Int64(Period.lowestSample), min(Int64(Period.highestSample), product)))
  }
}
