/// Positions of the samples of one fragment, in stream order. Memory is allocated only in `init`.
struct SampleTable {
  static var maxSizeCount: Int { 8_192 }
  static var maxRunCount: Int { 2_048 }

  private struct Run {
    var offset: Int32
    var sampleCount: UInt32
    /// Bytes per sample; 0 if the samples have individual sizes.
    var byteCount: UInt32
    var firstSize: Int32
  }

  private var runs: [Run] = []
  private var sizes: [UInt32] = []
  private var isSorted = true
  /// Stream position from which offsets count.
  private var origin: Int64 = 0
  /// Minimum position of all runs of all tracks; nil without runs.
  private var lowest: Int64?
  private var isAligned = false

  private var runIndex = 0
  private var sampleIndex: UInt32 = 0
  /// Position of the next sample; nil before the first `peek` in a run.
  private var sampleStart: Int64?

  init() {
    runs.reserveCapacity(Self.maxRunCount)
    sizes.reserveCapacity(Self.maxSizeCount)
  }

  mutating func removeAll() {
    runs.removeAll(keepingCapacity: true)
    sizes.removeAll(keepingCapacity: true)
    isSorted = true
    lowest = nil
    isAligned = false
    runIndex = 0
    sampleIndex = 0
    sampleStart = nil
  }

  /// Records the start of a run of any track. Must be called before `append`.
  mutating func recordRun(at position: Int64) {
    if lowest == nil { origin = position }
    lowest = min(lowest ?? position, position)
  }

  /// Adds the samples of a recorded run, read from `bytes`. Returns the number of samples that did not fit: too many
  /// runs or sizes, or more than 2 GiB from the first run.
  mutating func append(_ run: SampleRun, _ bytes: Span<UInt8>, at position: Int64) -> UInt32 {
    guard run.uniformByteCount != 0 else { return 0 }
    let (distance, isFar) = position.subtractingReportingOverflow(origin)
    guard runs.count < Self.maxRunCount, !isFar, let offset = Int32(exactly: distance) else { return run.sampleCount }
    let taken =
      run.uniformByteCount == nil ? min(run.sampleCount, UInt32(Self.maxSizeCount - sizes.count)) : run.sampleCount
    if let last = runs.last, last.offset > offset { isSorted = false }
    runs.append(
      Run(
        offset: offset, sampleCount: taken, byteCount: run.uniformByteCount ?? 0, firstSize: Int32(sizes.count)))
    if run.uniformByteCount == nil {
      for index in 0..<taken { sizes.append(run.byteCount(ofSample: index, bytes)) }
    }
    return run.sampleCount - taken
  }

  /// Shifts all runs to the start of the first non-empty `mdat` if their positions are wrong: they count from another
  /// origin (`isElsewhere`), or the first run lies between the `moof` at `start` and the content.
  mutating func alignRuns(in content: Range<Int64>, behind start: Int64, isElsewhere: Bool) {
    guard !isAligned, !content.isEmpty, let lowest else { return }
    isAligned = true
    if !isSorted { runs.sort { $0.offset < $1.offset } }
    guard isElsewhere || (start..<content.lowerBound).contains(lowest) else { return }
    let (shift, isFar) = content.lowerBound.subtractingReportingOverflow(lowest)
    let (moved, isFarther) = origin.addingReportingOverflow(shift)
    if !isFar, !isFarther { origin = moved }
  }

  /// Returns the next sample at or after `position` and the distance to it in bytes; nil after the last sample. Skips
  /// earlier samples, empty samples and samples cut off by `end`.
  mutating func peek(at position: Int64, end: Int64) -> (distance: Int64, byteCount: UInt32)? {
    while runIndex < runs.count {
      let run = runs[runIndex]
      let (runStart, isFar) = origin.addingReportingOverflow(Int64(run.offset))
      guard sampleIndex < run.sampleCount, !isFar else {
        (runIndex, sampleIndex, sampleStart) = (runIndex + 1, 0, nil)
        continue
      }
      let start = sampleStart ?? runStart
      sampleStart = start
      let byteCount = run.byteCount > 0 ? run.byteCount : sizes[Int(run.firstSize) + Int(sampleIndex)]
      if start < position {
        pass(run, before: position, start, byteCount)
        continue
      }
      // A sample after the end may lie in the next `mdat`.
      let isCut = start < end && Int64(byteCount) > end - start
      if byteCount > 0, !isCut { return (start - position, byteCount) }
      pass(1, of: byteCount)
    }
    return nil
  }

  mutating func pass(_ byteCount: UInt32) { pass(1, of: byteCount) }

  private mutating func pass(_ run: Run, before position: Int64, _ start: Int64, _ byteCount: UInt32) {
    guard run.byteCount > 0 else { return pass(1, of: byteCount) }
    let (distance, isFar) = position.subtractingReportingOverflow(start)
    let count = isFar ? .max : (distance - 1) / Int64(byteCount) + 1
    pass(UInt32(min(count, Int64(run.sampleCount - sampleIndex))), of: byteCount)
  }

  private mutating func pass(_ count: UInt32, of byteCount: UInt32) {
    let (length, isLong) = Int64(count).multipliedReportingOverflow(by: Int64(byteCount))
    let (next, isFar) = (sampleStart ?? 0).addingReportingOverflow(length)
    sampleIndex += count
    // The position overflowed: no sample can follow.
    sampleStart = isLong || isFar ? .max : next
  }
}
