import Blocks
import CLinux
import Units

/// The format of a tap's samples.
public struct TapFormat: Equatable, Sendable {
  /// Frames per second.
  public var rate: SampleRate
  /// Samples per frame: always two; mono is duplicated.
  public var channels: Int
  /// Maximum frames per call.
  public var maxFrames: Int

  /// Creates the renderer's format for a rate.
  public init(rate: SampleRate) {
    self.rate = rate
    channels = Period.channels
    maxFrames = Period.frameCapacity
  }
}

/// Code that observes or changes samples in place, before volume and fades (R9.1).
///
/// `process` runs on the render thread: it must not allocate, lock, wait or make system calls, and must use only a
/// small part of its frames' duration. In Swift, mark it `@_noLocks @_noAllocation` and capture nothing. `created` and
/// `disposed` run on the control thread around each format, never during `process`.
public struct Tap: @unchecked Sendable {
  /// Receives the context, the samples, and the number of frames. Left and right samples alternate, with 24 bits in the
  /// low bits of each `Int32`. Results are clipped to 24 bits.
  public typealias Process = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>?, Int) -> Void

  let process: Process
  let context: UnsafeMutableRawPointer?
  let created: (TapFormat) -> Void
  let disposed: () -> Void

  /// Creates a tap; the memory at `context` must outlive the radio.
  public init(
    _ process: @escaping Process, context: UnsafeMutableRawPointer? = nil,
    created: @escaping (TapFormat) -> Void = { _ in }, disposed: @escaping () -> Void = {}
  ) {
    self.process = process
    self.context = context
    self.created = created
    self.disposed = disposed
  }

  /// Announces the format of the following samples. Control thread only.
  public func create(_ format: TapFormat) { created(format) }

  /// Announces the end of a format. Control thread only.
  public func dispose() { disposed() }
}

/// A radio's taps in order, for the render thread.
public struct TapChain: BitwiseCopyable, @unchecked Sendable {
  private let taps: UnsafePointer<bk_tap>?
  private let count: Int

  /// Creates an empty chain.
  public init() {
    taps = nil
    count = 0
  }

  /// Creates a chain of at most eight taps in an arena.
  public init(_ taps: [Tap], in arena: Arena) {
    precondition(taps.count <= MemoryBudget.tapCount, "a radio has eight taps at most")
    let calls = arena.reserve(bk_tap.self, count: MemoryBudget.tapCount)
    for (index, tap) in taps.enumerated() {
      (calls + index).initialize(to: bk_tap(process: tap.process, context: tap.context))
    }
    self.taps = UnsafePointer(calls)
    count = taps.count
  }

  @_noLocks @_noAllocation
  func run(_ samples: UnsafeMutablePointer<Int32>, _ frames: Int) {
    if count == 0 { return }
    bk_tap_run(taps, count, samples, frames)
    for index in 0..<(frames &* 2) {
      samples[index] = max(Period.lowestSample, min(Period.highestSample, samples[index]))
    }
  }
}
