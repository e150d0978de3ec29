/// Audio data described by a `moof` (ISO 14496-12, 8.8.4 to 8.8.8, 8.8.12).
struct MovieFragment {
  /// Start time in ticks of the track; nil if absent.
  private(set) var decodeTime: UInt64?
  /// Index of the `stsd` entry that describes the samples, from 1; nil if the fragment has no audio.
  private(set) var description: UInt32?
  /// True if positions seem to refer to a larger file. Writers normally state the position of the `moof`.
  private(set) var refersToLargerFile = false
  private(set) var droppedSampleCount: Int64 = 0

  /// Adds the audio samples of a `moof` to `table`; `start` is the stream position of the `moof`.
  init(_ moof: Span<UInt8>, at start: Int64, track: AudioTrack, table: inout SampleTable) {
    var place = 0
    var dataEnd = start
    while let box = moof.nextBox(at: &place, in: moof.indices) {
      guard box.isA(.traf), let header = TrackFragment(moof, in: box.content, movie: track) else { continue }
      let base =
        switch header.base {
        case .position(let position): position
        case .fragment: start
        case .dataBefore: dataEnd
        }
      if case .position(let position) = header.base, position != start { refersToLargerFile = true }
      let isSound = header.track == track.id
      if isSound, description == nil {
        description = header.description
        decodeTime = Self.decodeTime(moof, in: box.content)
      }
      guard let end = readRuns(moof, in: box.content, header, base: base, table: &table, isSound: isSound) else {
        return
      }
      dataEnd = end
    }
  }

  private static func decodeTime(_ bytes: Span<UInt8>, in traf: Range<Int>) -> UInt64? {
    guard let tfdt = bytes.box(.tfdt, in: traf), let head = bytes.word32(at: tfdt.lowerBound, in: tfdt) else {
      return nil
    }
    let start = tfdt.lowerBound + 4
    return head >> 24 == 0 ? bytes.word32(at: start, in: tfdt).map { UInt64($0) } : bytes.word64(at: start, in: tfdt)
  }

  private mutating func readRuns(
    _ bytes: Span<UInt8>, in traf: Range<Int>, _ header: TrackFragment, base: Int64, table: inout SampleTable,
    isSound: Bool
  ) -> Int64? {
    var place = traf.lowerBound
    var end = base
    while let box = bytes.nextBox(at: &place, in: traf) {
      guard box.isA(.trun), let run = SampleRun(bytes, in: box.content, byteCount: header.byteCount),
        run.sampleCount > 0
      else { continue }
      if let offset = run.dataOffset {
        let (position, isOver) = base.addingReportingOverflow(Int64(offset))
        if isOver { return nil }
        end = position
      }
      table.recordRun(at: end)
      if isSound { droppedSampleCount += Int64(table.append(run, bytes, at: end)) }
      guard let next = Self.end(of: run, bytes, at: end) else { return nil }
      end = next
    }
    return end
  }

  private static func end(of run: SampleRun, _ bytes: Span<UInt8>, at start: Int64) -> Int64? {
    var total: Int64 = 0
    if let byteCount = run.uniformByteCount {
      let (product, isOver) = Int64(run.sampleCount).multipliedReportingOverflow(by: Int64(byteCount))
      if isOver { return nil }
      total = product
    } else {
      // The box has four bytes for each size, so the sum stays below 2^46.
      for index in 0..<run.sampleCount { total += Int64(run.byteCount(ofSample: index, bytes)) }
    }
    let (end, isOver) = start.addingReportingOverflow(total)
    return isOver ? nil : end
  }
}
