import Testing
import Units

@testable import Blocks
@testable import Recordings

/// A run of packets on its way into a file: progress, and the limits of the run.
@Suite final class RecordingSegmentTests {
  private let bench: RecorderBench
  private let scratch = UnsafeMutableRawPointer.allocate(byteCount: 8_192, alignment: 16)

  init() throws { bench = try RecorderBench() }

  deinit { scratch.deallocate() }

  private func segment(
    _ purpose: RecordingSegment.Purpose = .recording, _ scope: RecordingSegment.Scope = .found(1)
  ) -> RecordingSegment {
    RecordingSegment(1, purpose, path: "a.aac", BlockCursor(bench.source.ring), scope)
  }

  private static func report(isClosed: Bool = false, failure: RecordingError? = nil) -> FileReport {
    var report = FileReport()
    (report.path, report.isClosed, report.failure) = ("/x/a.aac", isClosed, failure)
    return report
  }

  /// Copies packets until the segment stops or `room` packets are copied.
  private func take(_ segment: RecordingSegment, room: Int = .max) -> (bytes: Int, last: RecordingSegment.Step) {
    var (bytes, room) = (0, room)
    while true {
      let step = segment.copyPacket(
        upTo: StreamTime(ticks: .max), bench.context, into: scratch, written: { bench.source.blocks.written }
      ) {
        guard room > 0 else { return false }
        (bytes, room) = (bytes + $0.count, room - 1)
        return true
      }
      guard step == .taken else { return (bytes, step) }
    }
  }

  private typealias Change = @Sendable (RecordingSegment) -> Void

  @Test("Each order leads from each state forward, never back")
  func states() {
    let toOpening: Change = { _ in }
    let toOpen: Change = { $0.process(Self.report()) }
    let toOver: Change = { $0.end() }
    let toClosing: Change = {
      $0.end(); $0.closes()
    }
    let names = ["opening", "open", "over", "closing"]
    func name(_ segment: RecordingSegment) -> String {
      segment.isOpening ? "opening" : segment.isToClose ? "over" : segment.isOver ? "closing" : "open"
    }
    let rows: [(String, Change, [String])] = [
      ("file open", { $0.process(Self.report()) }, ["open", "open", "over", "closing"]),
      ("file closed", { $0.process(Self.report(isClosed: true)) }, ["over", "over", "over", "closing"]),
      ("end", { $0.end() }, ["over", "over", "over", "closing"]),
      ("end at", { $0.end(at: StreamTime(seconds: 1)) }, ["opening", "open", "over", "closing"]),
      ("discard", { $0.discard() }, ["over", "over", "over", "closing"]),
      ("programme begins", { $0.programmeBegins(2) }, ["opening", "open", "over", "closing"]),
    ]
    for (order, change, expected) in rows {
      for (index, begin) in [toOpening, toOpen, toOver, toClosing].enumerated() {
        let segment = segment()
        begin(segment)
        #expect(name(segment) == names[index])
        change(segment)
        #expect(name(segment) == expected[index], "\(order) in \(names[index])")
      }
    }
  }

  @Test("A segment that waits for its first packet ends at once, another at its end")
  func ends() {
    let moment = StreamTime(seconds: 1)
    for scope in [RecordingSegment.Scope.nextProgramme, .programme(1)] {
      let waiting = segment(.recording, scope)
      waiting.end(at: moment)
      #expect(waiting.isOver && waiting.until == nil)
    }
    let found = segment()
    found.end(at: moment)
    #expect(!found.isOver && found.until == moment)
  }

  @Test("The next programme is awaited until the ring has its packet")
  func places() {
    let waiting = segment(.recording, .nextProgramme)
    #expect(waiting.epoch == nil && !waiting.findPlace(in: bench.source.ring))
    waiting.programmeBegins(2)
    waiting.programmeBegins(3)
    #expect(waiting.epoch == 2 && !waiting.findPlace(in: bench.source.ring))
    bench.begin(2)
    bench.send(1)
    #expect(waiting.findPlace(in: bench.source.ring) && waiting.epoch == 2)
    #expect(take(waiting).bytes == RecorderBench.byteCount)
  }

  @Test("A packet without room is copied the next time")
  func room() {
    bench.send(3)
    let segment = segment()
    let first = take(segment, room: 1)
    #expect(first.last == .noRoom && segment.byteCount == RecorderBench.byteCount)
    let rest = take(segment)
    #expect(rest.last == .nothing && segment.byteCount == 3 * RecorderBench.byteCount)
    #expect(segment.recorded == StreamTime(seconds: 0.3) && !segment.isOver)
  }

  @Test("The first reason for its end stays, also a closed file's")
  func failures() {
    let segment = segment()
    segment.fail(nil)
    #expect(segment.failure == nil)
    segment.process(Self.report(isClosed: true, failure: .slow("a")))
    segment.fail(.nothing)
    #expect(segment.failure?.description == RecordingError.slow("a").description)
    #expect(segment.path == "a.aac", "a file that was closed before it was open has no path")
  }
}
