import MediaSupport
import Network
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Titles of HLS stations (H6).
@Suite struct SegmentTitleTests {
  private static let clip = Clip.long(120)

  private static func tag(_ title: String) -> [UInt8] {
    let frame = Array("TIT2".utf8) + BoxWriter.u32(UInt32(title.utf8.count + 1)) + [0, 0, 3] + Array(title.utf8)
    return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
  }

  /// Start of a played segment in seconds; playback starts with the playlist's fourth segment.
  private static func begin(of index: Int) -> Double { Double(index + 3) * 4 }

  /// Start of each segment, in seconds.
  private static func starts(_ segments: [[Clip.Packet]]) -> [Double] {
    segments.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.reduce(0) { $0 + $1.info.duration.seconds }) }
  }

  /// Transport streams with a clock that starts at `clock` (90 kHz). A title precedes each segment's audio and is due
  /// after `delay` seconds.
  private static func transport(_ delay: Double, from clock: UInt64) -> SegmentPackaging {
    SegmentPackaging("transport streams from \(clock) on, \(delay) s") { segments in
      let starts = starts(segments)
      return SegmentPackaging.Files(
        segments.indices.map { number in
          var writer = TransportStreamWriter()
          writer.tables([
            TransportStreamWriter.Entry(
              type: 0x15, pid: TransportStreamWriter.tagPID,
              descriptors: [
                0x26, 13, 0xFF, 0xFF, 0x49, 0x44, 0x33, 0x20, 0xFF, 0x49, 0x44, 0x33, 0x20, 0, 0x0F,
              ]),
            TransportStreamWriter.Entry(type: 0x03, pid: TransportStreamWriter.soundPID),
          ])
          func time(_ seconds: Double) -> UInt64 { (clock + UInt64(seconds * 90_000)) & (1 << 33 - 1) }
          writer.pes(
            TransportStreamWriter.tagPID, tag("Song \(number)"), .init(id: 0xBD, time: time(starts[number] + delay)))
          writer.pes(segments[number].flatMap(\.bytes), .init(time: time(starts[number]), isBounded: false))
          return writer.bytes
        })
    }
  }

  /// Fragments with one title each in an `emsg` box, due after `delay` seconds.
  private static func fragments(_ delay: Double, version: UInt8) -> SegmentPackaging {
    SegmentPackaging("fragments, emsg \(version)") { segments in
      var packed = SegmentPackaging.fragments(of: 20).pack(segments)
      let starts = starts(segments)
      let texts = Array("https://aomedia.org/emsg/ID3".utf8) + [0, 0]
      for number in segments.indices {
        let data = tag("Song \(number)")
        let event =
          version == 0
          ? BoxWriter.full("emsg", texts, BoxWriter.u32(1_000, UInt32(delay * 1_000), 0xFFFF_FFFF, 4), data)
          : BoxWriter.full(
            "emsg", version: 1, BoxWriter.u32(1_000, 0, UInt32((starts[number] + delay) * 1_000), 0xFFFF_FFFF, 4),
            texts, data)
        packed.segments[number] = event + packed.segments[number]
      }
      return packed
    }
  }

  @Test(
    "A timed tag's title starts at its time, although it arrives earlier (H6)",
    arguments: [
      transport(2, from: 0), transport(2, from: 1 << 33 - 1_700_000), transport(0, from: 5), fragments(2, version: 0),
      fragments(2, version: 1),
    ])
  func timed(_ form: SegmentPackaging) async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, form: form)
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run { bench.titleTimes.count >= 5 })
      let delay = form.description.contains(", 0.0 s") ? 0.0 : 2
      for (index, title) in bench.titleTimes.prefix(5).enumerated() {
        let due = Self.begin(of: index) + delay
        #expect(title.text == "Song \(index + 3)" && abs(title.at - due) < 0.2, "\(title) is due at \(due)")
      }
    }
  }

  @Test("A tag whose time is outside its segment starts with the segment", arguments: [0.0, 30_000])
  func foreign(_ delay: Double) async throws {
    try await Stage.run(speed: 8) {
      // The tags are earlier than the segment's clock, or hours later.
      let station = try SegmentedStation(Self.clip, form: Self.transport(delay, from: delay == 0 ? 9 : 0))
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run { bench.titleTimes.count >= 3 })
      for (index, title) in bench.titleTimes.prefix(3).enumerated() {
        #expect(abs(title.at - Self.begin(of: index)) < 0.2, "\(title)")
      }
    }
  }

  /// Transport streams with `count` titles before each half of their audio.
  private static func flood(_ count: Int) -> SegmentPackaging {
    SegmentPackaging("transport streams with \(2 * count) titles each") { segments in
      let starts = starts(segments)
      return SegmentPackaging.Files(
        segments.indices.map { number in
          var writer = TransportStreamWriter()
          writer.tables([
            TransportStreamWriter.Entry(type: 0x15, pid: TransportStreamWriter.tagPID),
            TransportStreamWriter.Entry(type: 0x03, pid: TransportStreamWriter.soundPID),
          ])
          let packets = segments[number]
          for (half, part) in [packets.prefix(packets.count / 2), packets.dropFirst(packets.count / 2)].enumerated() {
            let time = UInt64((starts[number] + Double(half) * 2) * 90_000)
            for title in 0..<count {
              writer.pes(
                TransportStreamWriter.tagPID, tag("Song \(number) \(half) \(title)"), .init(id: 0xBD, time: time))
            }
            writer.pes(part.flatMap(\.bytes), .init(time: time, isBounded: false))
          }
          return writer.bytes
        })
    }
  }

  @Test("A flood of titles gives at most one title per packet (R6.1)")
  func floods() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, form: Self.flood(100))
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(60) { bench.written > 20 })
      let segments = Int(bench.written / 4) + 1
      #expect((1...segments * 6).contains(bench.titles.count), "\(bench.titles.count) of \(segments) segments")
    }
  }

  /// Packed audio whose first tag has only a time, or no first tag. A title follows at once, or after half the packets.
  private static func packed(hasTime: Bool, isInside: Bool) -> SegmentPackaging {
    SegmentPackaging("packed audio, \(hasTime) \(isInside)") { segments in
      let frame = Array("PRIV".utf8) + BoxWriter.u32(4) + [0, 0] + Array("a".utf8) + [0, 0, 0]
      let time = hasTime ? Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame : []
      return SegmentPackaging.Files(
        segments.enumerated().map { number, packets in
          let (first, second) = (packets.prefix(packets.count / 2), packets.dropFirst(packets.count / 2))
          let title = tag("Song \(number)")
          return isInside
            ? time + first.flatMap(\.bytes) + title + second.flatMap(\.bytes) : time + title + packets.flatMap(\.bytes)
        })
    }
  }

  @Test(
    "A title in the second tag or inside packed audio starts at its packet (H6)",
    arguments: [(true, false), (false, false), (true, true), (false, true)])
  func packedTags(hasTime: Bool, isInside: Bool) async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, form: Self.packed(hasTime: hasTime, isInside: isInside))
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run { bench.titleTimes.count >= 4 })
      for (index, title) in bench.titleTimes.prefix(4).enumerated() {
        let due = Self.begin(of: index) + (isInside ? 2 : 0)
        #expect(title.text == "Song \(index + 3)" && abs(title.at - due) < 0.2, "\(title) is due at \(due)")
      }
    }
  }

  @Test("Titles in a list start with their segments (H6)")
  func listed() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, hasTitles: true)
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run { bench.titleTimes.count >= 4 })
      for (index, title) in bench.titleTimes.prefix(4).enumerated() {
        #expect(title.text == "Song \(index + 3)" && abs(title.at - Self.begin(of: index)) < 0.2, "\(title)")
      }
    }
  }
}
