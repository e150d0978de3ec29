import Blocks
import CLinux
import Units

/// The sound that a tap is given from now on.
public struct TapFormat: Equatable, Sendable {
  /// Frames in a second.
  public var rate: SampleRate
  /// Samples in a frame: two, a mono station's twice.
  public var channels: Int
  /// Frames that a call brings at most.
  public var maxFrames: Int

  /// Sound of a rate, as the renderer has it.
  public init(rate: SampleRate) {
    self.rate = rate
    channels = Period.channels
    maxFrames = Period.frameCapacity
  }
}

/// Code that sees, and may change, sound before it is heard (R9.1): before volume and ramps, in place.
///
/// `process` is the render thread's: it must not allocate, lock, wait or call the kernel, and takes a small part of the
/// time that its frames sound. Written in Swift it is a function that captures nothing, marked
/// `@_noLocks @_noAllocation` so that the compiler holds it to that. `created` and `disposed` are the control thread's,
/// around each format, never while `process` runs.
public struct Tap: @unchecked Sendable {
  /// Takes the context, samples of 24 bits in the low bits of each `Int32`, left and right by turns, and how many
  /// frames of two they are. What is louder than 24 bits afterwards is cut off.
  public typealias Process = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>?, Int) -> Void

  let process: Process
  let context: UnsafeMutableRawPointer?
  let created: (TapFormat) -> Void
  let disposed: () -> Void

  /// A tap; what `context` points at is there as long as the radio.
  public init(
    _ process: @escaping Process, context: UnsafeMutableRawPointer? = nil,
    created: @escaping (TapFormat) -> Void = { _ in }, disposed: @escaping () -> Void = {}
  ) {
    self.process = process
    self.context = context
    self.created = created
    self.disposed = disposed
  }

  /// Tells it what sound comes.
  public func create(_ format: TapFormat) { created(format) }

  /// Tells it that no more of that comes.
  public func dispose() { disposed() }
}

/// The taps of a radio in their order, as the render thread has them.
public struct TapChain: BitwiseCopyable, @unchecked Sendable {
  private let taps: UnsafePointer<bk_tap>?
  private let count: Int

  /// No taps.
  public init() {
    taps = nil
    count = 0
  }

  /// These taps, in an arena; eight at most.
  public init(_ taps: [Tap], in arena: Arena) {
    precondition(taps.count <= MemoryBudget.tapCount, "a radio has eight taps at most")
    let calls = arena.reserve(bk_tap.self, count: MemoryBudget.tapCount)
    for (index, tap) in taps.enumerated() {
      (calls + index).initialize(to: bk_tap(process: tap.process, context: tap.context))
    }
    self.taps = UnsafePointer(calls)
    count = taps.count
  }

  /// Lets each see, and change, frames.
  @_noLocks @_noAllocation
  func run(_ samples: UnsafeMutablePointer<Int32>, _ frames: Int) {
    if count == 0 { return }
    bk_tap_run(taps, count, samples, frames)
    for index in 0..<(frames &* 2) {
      samples[index] = max(Period.lowestSample, min(Period.highestSample, samples[index]))
    }
  }
}
