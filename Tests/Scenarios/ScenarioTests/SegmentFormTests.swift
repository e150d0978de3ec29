import MediaSupport
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Forms of HLS lists and segments at real stations.
@Suite struct SegmentFormTests {
  private static let clip = Clip.long(200)
  private static let hls = "application/vnd.apple.mpegurl"

  /// A station whose list is changed by `change`.
  private static func station(
    _ clip: Clip = clip, target: Int? = nil, _ change: @escaping @Sendable (String) -> String
  ) throws -> SegmentedStation {
    try SegmentedStation(clip) { _, request, air in
      guard request == .list else { return nil }
      return StationAction.response("200 OK", change(air.text(target: target)), type: hls)
    }
  }

  private static func expectNothing(_ station: SegmentedStation, seconds: Double = 40) throws {
    let bench = try NetBench()
    bench.tune(station.url)
    SegmentTests.expectWhole(bench, station, seconds: seconds)
    #expect(bench.reasons.isEmpty && bench.stitches.isEmpty && bench.faults.isEmpty, "\(bench.reasons)")
  }

  @Test("A sliding list without EXT-X-MEDIA-SEQUENCE loses and repeats nothing (H3)")
  func unnumbered() async throws {
    try await Stage.run(speed: 8) {
      let station = try Self.station { text in
        text.split(separator: "\n").filter { !$0.hasPrefix("#EXT-X-MEDIA-SEQUENCE") }.joined(separator: "\n") + "\n"
      }
      defer { station.close() }
      try Self.expectNothing(station)
    }
  }

  @Test("A sliding list with a constant EXT-X-MEDIA-SEQUENCE loses and repeats nothing (H3)")
  func constantNumber() async throws {
    try await Stage.run(speed: 8) {
      let station = try Self.station { text in
        let lines = text.split(separator: "\n")
        return lines.map { $0.hasPrefix("#EXT-X-MEDIA-SEQUENCE") ? "#EXT-X-MEDIA-SEQUENCE:1" : $0 }
          .joined(separator: "\n") + "\n"
      }
      defer { station.close() }
      try Self.expectNothing(station)
    }
  }

  @Test("A target duration shorter than the segments causes no reconnect (H3)", arguments: [1, 2])
  func smallTarget(target: Int) async throws {
    try await Stage.run(speed: 8) {
      let station = try Self.station(target: target) { $0 }
      defer { station.close() }
      try Self.expectNothing(station)
    }
  }

  @Test("Segments may have names without extensions")
  func bareNames() async throws {
    try await Stage.run(speed: 8) {
      let station = try Self.station { $0.replacing(".mp3", with: "") }
      defer { station.close() }
      try Self.expectNothing(station)
    }
  }

  /// A finished list of four segments.
  private static func finished(
    _ clip: Clip = .aac(16), form: SegmentPackaging = .packed, mark: String = "",
    wrap: @escaping @Sendable ([UInt8], Int) -> [UInt8] = { bytes, _ in bytes }
  ) throws -> SegmentedStation {
    try SegmentedStation(
      clip, form: form,
      { _, request, air in
        guard request == .list else { return nil }
        let text = air.text(to: 4).replacing("#EXTINF", with: mark + "#EXTINF")
        return StationAction.response("200 OK", text + "#EXT-X-ENDLIST\n", type: hls)
      }, wrap: wrap)
  }

  @Test("A discontinuity between segments of the same format costs no sample", arguments: [false, true])
  func discontinuities(isMp3: Bool) async throws {
    try await Stage.run(speed: 4) {
      let clip = isMp3 ? Clip.mp3(16) : Clip.aac(16)
      let station = try Self.finished(clip, mark: "#EXT-X-DISCONTINUITY\n")
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url)
      #expect(rig.playOut(within: 60), "\(rig.names)")
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("A fragment may begin with a box of unknown type")
  func unknownBoxes() async throws {
    try await Stage.run(speed: 4) {
      let box = BoxWriter.make("abcd", [UInt8](repeating: 0xFF, count: 100_000))
      let station = try Self.finished(form: .fragments(of: 20)) { segment, _ in box + segment }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(60) { bench.written >= 15 }, "\(bench.written) s: \(bench.faults.map(\.sentence))")
    }
  }

  @Test("Pictures before the audio of a fragment are skipped up to 4 MiB", arguments: [600_000, 3_000_000])
  func pictures(byteCount: Int) async throws {
    try await Stage.run(speed: 4) {
      let picture = BoxWriter.make("mdat", [UInt8](repeating: 0, count: byteCount))
      let station = try Self.finished(form: .fragments(of: 20)) { segment, _ in picture + segment }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(60) { bench.written >= 15 }, "\(bench.written) s: \(bench.faults.map(\.sentence))")
      #expect(bench.faults.isEmpty && bench.reasons.isEmpty)
    }
  }

  @Test("A continuous ring wraps during a pause of an HLS station, and no segment is lost (R2.6)")
  func continuous() async throws {
    try await Stage.run(speed: 5) {
      let station = try Self.station { $0 }
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.pauseTimeout = .zero
      settings.blockCount = 40
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(station.url) { $0.isContinuous = true }
      try #require(rig.next("playing") != nil)
      rig.run(for: 3)
      rig.radio.pause()
      let left = rig.radio.status.position
      let base = rig.radio.status.blocks.oldest.seconds
      #expect(rig.run(90) { rig.radio.status.blocks.oldest.seconds > base + 30 })
      let status = rig.radio.status
      let buffered = (status.blocks.written - status.blocks.oldest).seconds
      #expect(abs(status.held - buffered) < 1, "\(status.held) of \(buffered)")
      #expect(rig.events("stitched").isEmpty && rig.events("reconnecting").isEmpty)
      rig.radio.resume()
      #expect(rig.next("seekDone") != nil)
      rig.run(for: 8)
      #expect(rig.radio.state == .playing && rig.radio.status.position > left + 10)
      #expect(rig.events("stitched").isEmpty && rig.events("reconnecting").isEmpty)
    }
  }
}
