import Foundation
import Framing
import MediaSupport
import RadioEngine
import RadioSupport
import Recordings
import StationSupport
import TestSupport
import Testing
import Units

/// Recordings and saved songs of real streams, with a bit reservoir and with titles.
@Suite("Recorded streams", .corpora)
struct RecordedStreamTests {
  /// Only its first packet can be decoded alone.
  private static func reservoir() throws -> Clip { Clip(try Corpora.bytes("mp3-extra/gapless.mp3")) }

  @Test("A recording started later and continued has all data for its decoder (manual 2.3.8)")
  func reservoirs() async throws {
    try await Stage.run(speed: 2) {
      let clip = try Self.reservoir()
      let station = try ScriptedStation([
        .live(), .pace(clip.bytes, perSecond: clip.byteRate, burst: Int(1.5 * clip.byteRate)), .stall,
      ])
      defer { station.close() }
      let bench = try RecordingBench()
      bench.rig.tune(station.url())
      #expect(bench.rig.next("playing") != nil)
      var sizes = [0]
      for turn in 0..<3 {
        bench.rig.run(for: 1)
        try bench.radio.record(RecordingOrder("a.mp3", reach: .folder, appends: turn > 0))
        #expect(bench.waitForRecordedBytes(30_000))
        #expect(bench.end()?.error == nil)
        sizes.append(bench.folder.bytes(of: "a.mp3").count)
      }
      #expect(station.visits.count == 1)
      let recorded = Clip(bench.folder.bytes(of: "a.mp3"))
      #expect(recorded.bytes.count == sizes[3])
      // Bytes before the first complete packet are stored too.
      #expect(recorded.undecodablePackets.allSatisfy { $0 < 3 }, "\(recorded.undecodablePackets)")
      let first = try #require(place(of: Array(recorded.bytes.prefix(sizes[1])), in: clip.bytes))
      #expect(clip.packetOffsets.contains(first))
      for turn in 1..<3 {
        // After a join, some packets are silent; then all packets equal the original.
        let part = Clip(Array(recorded.bytes[sizes[turn]..<sizes[turn + 1]]))
        #expect(place(of: part.from(3).bytes, in: clip.bytes) != nil)
      }
      for player in ["ffmpeg", "mpg123"] {
        let words = Player.errorOutput(player, bench.path("a.mp3"))
        if words == nil { print("\(player) is not here, and was not asked") }
        #expect(words ?? "" == "")
      }
    }
  }

  @Test("A real station's titles are saved from border to border, to a packet", arguments: IcyDump.all)
  func songs(dump: IcyDump) async throws {
    try await Stage.run {
      let audio = try dump.audioBytes()
      let clip = Clip(audio)
      let isAac = dump.audio.hasSuffix(".aac")
      let station = try ScriptedStation([
        .live("icy-metaint: \(dump.metaint)", type: isAac ? "audio/aac" : "audio/mpeg"),
        .send(try dump.rawBytes()), .stall,
      ])
      defer { station.close() }
      let bench = try RecordingBench(isPaced: false) { $0.blockCount = 2_000 }
      bench.rig.tune(station.url())
      let borders = try Self.borders(dump)
      #expect(bench.rig.run(60) { bench.rig.events("metadataReceived").count >= borders.count })
      bench.rig.run(for: 1)
      let places = Set(clip.packets.flatMap { [$0.info.byteOffset, $0.info.byteOffset + $0.bytes.count] })
      let packet = clip.packets.map(\.bytes.count).max() ?? 0
      var keptCount = 0
      for number in 1..<borders.count {
        bench.radio.pause()
        bench.radio.seek(to: borders[number].seconds + 0.2)
        #expect(bench.rig.next("seekDone") != nil)
        _ = try bench.radio.keep(.previous)
        let kept = try #require(bench.waitForKeptSong())
        let song = Clip(kept.bytes)
        #expect(song.bytes == kept.bytes, "nothing in it but packets")
        let start = try #require(Self.spot(of: song.prefix(packets: 2), in: audio, near: borders[number - 1].byte))
        let last = song.from(song.packets.count - 2)
        let end =
          try #require(Self.spot(of: last, in: audio, near: borders[number].byte - last.bytes.count))
          + last.bytes.count
        // A packet of low bit rate needs several before it.
        let needed = isAac ? 0 : 511
        #expect(clip.packetCount(from: start + needed, to: borders[number - 1].byte) <= 1)
        #expect(clip.packetCount(from: borders[number - 1].byte, to: start) <= 1)
        // Damaged bytes contain no packet.
        #expect(clip.packetCount(from: end, to: borders[number].byte) <= 1)
        #expect(clip.packetCount(from: borders[number].byte, to: end) <= 1)
        #expect(places.contains(start) && places.contains(end) && abs(end - start - kept.bytes.count) <= packet)
        if Player.errorOutput("ffmpeg", kept.song.path) ?? "" != "" { Issue.record("ffmpeg complains") }
        keptCount += 1
      }
      Figures.tell("KEEP", "\(dump.audio): \(keptCount) songs, each within a packet of \(packet) bytes")
      #expect(keptCount == borders.count - 1)
    }
  }

  /// The position of a part's packets nearest to `byte`: real streams contain many parts with the same first packets.
  private static func spot(of part: Clip, in audio: [UInt8], near byte: Int) -> Int? {
    let bytes = part.bytes
    let places = max(0, byte - 4_000)...max(0, min(audio.count - bytes.count, byte + 4_000))
    return places.filter { audio[$0..<$0 + bytes.count].elementsEqual(bytes) }.min { abs($0 - byte) < abs($1 - byte) }
  }

  /// The byte position and time of each title.
  private static func borders(_ dump: IcyDump) throws -> [(byte: Int, seconds: Double)] {
    let times = PartedDump(try dump.rawBytes(), metaint: dump.metaint, step: 1460).titles.map(\.begin.seconds)
    var demuxer = IcyDemuxer(metaint: dump.metaint)
    var (bytes, count): ([Int], Int) = ([], 0)
    let raw = try dump.rawBytes()
    demuxer.demux(raw.span) {
      count += $0.count
    } metadata: { block in
      if IcyMetadata(parsing: block).title != nil { bytes.append(count) }
    }
    return Array(zip(bytes, times)).map { (byte: $0, seconds: $1) }
  }
}

extension Clip {
  /// The number of whole packets between two bytes.
  fileprivate func packetCount(from first: Int, to last: Int) -> Int {
    packets.count { $0.info.byteOffset >= first && $0.info.byteOffset + $0.bytes.count <= last }
  }
}
