import MediaSupport
import RadioEngine
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing

@Suite struct SegmentSoundTests {
  struct Programme: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var clip: Clip

    init(_ name: String, _ clip: Clip) { (testDescription, self.clip) = (name, clip) }

    init(fixture: String) {
      self.init(fixture, Clip(Repository.bytes("Tests/Support/Fixtures/\(fixture)")).prefix(11))
    }

    var isAac: Bool { clip.packets[0].info.format.codec == .aac }
  }

  private static let programmes = [
    Programme("AAC-LC", .aac(11)), Programme("MP3", .mp3(11)), Programme(fixture: "long-he-44100.aac"),
    Programme(fixture: "long-he2-44100.aac"), Programme(fixture: "long-vbr-22050.mp3"),
  ]

  private static let forms: [SegmentPackaging] = [
    .packed, .timed, .tornPackets, .parts, .unknownParts, .transport, .tornTransport, .fragments(of: 1),
    .fragments(of: 40),
    .packed.encrypted, .transport.encrypted,
  ]

  private static func sound(_ url: String) throws -> [UInt8] {
    let rig = try RadioRig()
    rig.tune(url) { $0.retry = .times(0) }
    let isOver = rig.playOut(within: 120)
    _ = rig.radio.close()
    #expect(isOver && rig.events("stitched").isEmpty)
    return rig.pcm
  }

  /// A live station with the clip's first three segments, one more with each request, and an end after the last
  /// segment.
  private static func station(_ clip: Clip, _ form: SegmentPackaging) throws -> SegmentedStation {
    let end = Locked(2)
    return try SegmentedStation(clip, length: 2, form: form) { _, request, air in
      guard request == .list else { return nil }
      let count = end.withLock {
        $0 = min($0 + 1, 6)
        return $0
      }
      return air.list(to: count, tail: count == 6 ? "#EXT-X-ENDLIST\n" : "")
    }
  }

  @Test(
    "Segments play like the same packets from Icecast, to the sample (H2)", arguments: programmes, forms)
  func sameSound(_ programme: Programme, _ form: SegmentPackaging) async throws {
    try await Stage.run(speed: 8) {
      let type = programme.isAac ? "audio/aac" : "audio/mpeg"
      let icecast = try ScriptedStation([.live(type: type), .send(programme.clip.bytes)])
      defer { icecast.close() }
      let station = try Self.station(programme.clip, form)
      defer { station.close() }
      let (wanted, heard) = (try Self.sound(icecast.url()), try Self.sound(station.url))
      #expect(wanted.count >= Int(10.9 * 22_050) * 2)
      #expect(difference(heard, wanted) == nil)
      #expect(station.listCount >= 4, "it was live")
    }
  }

  @Test(
    "A recording of segments equals the muxed packets", arguments: programmes,
    forms + [.latm, .latmTransport])
  func samePackets(_ programme: Programme, _ form: SegmentPackaging) async throws {
    guard programme.isAac || !form.description.contains("LATM") else { return }
    try await Stage.run(speed: 8) {
      let station = try Self.station(programme.clip, form)
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      // The radio retries after the playlist's end.
      #expect(bench.run(120) { !bench.reasons.isEmpty })
      bench.readAll()
      let isAnew = ["LATM", "fragments"].contains { form.description.hasPrefix($0) }
      guard isAnew, programme.isAac else {
        #expect(difference(bench.readBytes, programme.clip.bytes) == nil)
        return
      }
      // The headers differ, because containers lack the encoder's buffer fullness.
      let heard = Clip(bench.readBytes).packets.map { $0.bytes.dropFirst(7) }
      #expect(heard == programme.clip.packets.map { $0.bytes.dropFirst($0.bytes[1] & 1 == 0 ? 9 : 7) })
    }
  }
}
