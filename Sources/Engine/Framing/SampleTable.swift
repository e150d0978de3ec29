/// Where the samples of one fragment lie, in the order of the stream. Memory is reserved once, at `init`.
struct SampleTable {
  /// The most samples of a fragment that have a size of their own.
  static var mostSizes: Int { 8_192 }
  /// The most runs of a fragment.
  static var mostRuns: Int { 2_048 }

  /// Samples behind one another.
  private struct Run {
    /// Where they begin, counted from the table's origin.
    var offset: Int32
    var sampleCount: UInt32
    /// Bytes of each of them; 0 where each has a size of its own.
    var byteCount: UInt32
    /// The first one's place in `sizes`.
    var firstSize: Int32
  }

  private var runs: [Run] = []
  private var sizes: [UInt32] = []
  private var isSorted = true
  /// The position in the stream that offsets are counted from.
  private var origin: Int64 = 0
  /// The lowest position where a run of any track begins; nil before there is one.
  private var lowest: Int64?
  /// Whether the positions were compared with the first `mdat`.
  private var isPlaced = false

  /// The run that is handed out, and the next of its samples.
  private var runIndex = 0
  private var sampleIndex: UInt32 = 0
  /// Where that sample begins; nil before a run's first one was looked at.
  private var sampleStart: Int64?

  /// A table without samples.
  init() {
    runs.reserveCapacity(Self.mostRuns)
    sizes.reserveCapacity(Self.mostSizes)
  }

  /// Forgets all samples.
  mutating func removeAll() {
    runs.removeAll(keepingCapacity: true)
    sizes.removeAll(keepingCapacity: true)
    isSorted = true
    lowest = nil
    isPlaced = false
    runIndex = 0
    sampleIndex = 0
    sampleStart = nil
  }

  /// Notes where a run of any track begins.
  mutating func noteRun(at position: Int64) {
    if lowest == nil { origin = position }
    lowest = min(lowest ?? position, position)
  }

  /// Adds the samples of a run that was read from `bytes` and noted. Gives how many of them it could not take: there
  /// are too many runs or sizes, or they lie more than 2 GiB from the first run.
  mutating func append(_ run: SampleRun, _ bytes: Span<UInt8>, at position: Int64) -> UInt32 {
    guard run.uniformByteCount != 0 else { return 0 }
    let (distance, isFar) = position.subtractingReportingOverflow(origin)
    guard runs.count < Self.mostRuns, !isFar, let offset = Int32(exactly: distance) else { return run.sampleCount }
    let taken =
      run.uniformByteCount == nil ? min(run.sampleCount, UInt32(Self.mostSizes - sizes.count)) : run.sampleCount
    if let last = runs.last, last.offset > offset { isSorted = false }
    runs.append(
      Run(
        offset: offset, sampleCount: taken, byteCount: run.uniformByteCount ?? 0, firstSize: Int32(sizes.count)))
    if run.uniformByteCount == nil {
      for index in 0..<taken { sizes.append(run.byteCount(ofSample: index, bytes)) }
    }
    return run.sampleCount - taken
  }

  /// Prepares for the first `mdat` with content behind the fragment's `moof`, whose first byte is at `start`.
  ///
  /// Where positions count from another begin than this stream's (`isElsewhere`), or the first run lies before the
  /// content, as if its offset was left out, the first run begins with the content.
  mutating func place(in content: Range<Int64>, behind start: Int64, isElsewhere: Bool) {
    guard !isPlaced, !content.isEmpty, let lowest else { return }
    isPlaced = true
    if !isSorted { runs.sort { $0.offset < $1.offset } }
    guard isElsewhere || (start..<content.lowerBound).contains(lowest) else { return }
    let (shift, isFar) = content.lowerBound.subtractingReportingOverflow(lowest)
    let (moved, isFarther) = origin.addingReportingOverflow(shift)
    if !isFar, !isFarther { origin = moved }
  }

  /// The next sample that begins at `position` or behind it, and how far behind; nil where there is none. Those before
  /// it are passed, as are empty ones and one that `end` cuts off.
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
      // A sample behind the end may lie in the next `mdat`.
      let isCut = start < end && Int64(byteCount) > end - start
      if byteCount > 0, !isCut { return (start - position, byteCount) }
      pass(1, of: byteCount)
    }
    return nil
  }

  /// Passes the sample that `peek` gave, of so many bytes.
  mutating func pass(_ byteCount: UInt32) { pass(1, of: byteCount) }

  /// Passes samples of a run that begin before `position`; of those of one size, all in one step.
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
    // Nothing can lie behind a position that cannot be.
    sampleStart = isLong || isFar ? .max : next
  }
}
