import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// A file without a length whose server stalls, or breaks each connection (R1.5).
@Suite struct StalledFileTests {
  private static func chunks(_ count: Int, _ body: [StationAction], headers: [String] = []) -> [StationAction] {
    let head = StationAction.head("200 OK", headers + ["Transfer-Encoding: chunked"])
    return [head, .text(String(count, radix: 16) + "\r\n")] + body
  }

  private static let lastChunk = StationAction.text("\r\n0\r\n\r\n")

  /// Plays a file to its end. Returns the rig after the radio was closed.
  private static func play(
    _ station: ScriptedStation, _ prepare: (inout StationRequest) -> Void = { _ in }
  ) throws -> RadioRig {
    let rig = try RadioRig()
    rig.tune(station.url("/episode"), prepare)
    #expect(rig.playOut(within: 90))
    #expect(rig.names.suffix(2) == ["fileComplete", "stopped"], "\(rig.names)")
    _ = rig.radio.close()
    return rig
  }

  @Test("A file that stalls at the same byte of each response plays once", arguments: [true, false])
  func stallsEachTime(isChunked: Bool) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.mp3(16)
      let bytes = clip.bytes
      let station = try ScriptedStation { _ in
        let body: [StationAction] = [.send(Array(bytes[..<150_000])), .wait(5), .send(Array(bytes[150_000...]))]
        return isChunked ? Self.chunks(bytes.count, body + [Self.lastChunk]) : [.head()] + body
      }
      defer { station.close() }
      let rig = try Self.play(station)
      // A spare during the first stall, and a second response that proves the end.
      #expect(station.visits.count == 3 && rig.events("stitched").isEmpty)
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("A spare that repeats the file does not replace a lead that delivers again")
  func leadContinues() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.mp3(16)
      let (bytes, second) = (clip.bytes, Int(clip.byteRate))
      let station = try ScriptedStation { visit in
        let all = StationAction.pace(bytes, perSecond: clip.byteRate, burst: 4 * second)
        guard visit.number == 0 else { return Self.chunks(bytes.count, [all, Self.lastChunk]) }
        let last = StationAction.pace(Array(bytes[(10 * second)...]), perSecond: clip.byteRate, burst: 4 * second)
        return Self.chunks(
          bytes.count, [.send(Array(bytes[..<(10 * second)])), .wait(4.2), last, Self.lastChunk])
      }
      defer { station.close() }
      let rig = try Self.play(station)
      #expect(station.visits.count == 3 && rig.events("stitched").isEmpty)
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("A spare that repeats the file to its end replaces the silent lead")
  func silentAtEnd() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.mp3(16)
      let station = try ScriptedStation { visit in
        Self.chunks(clip.bytes.count, [.send(clip.bytes), visit.number == 0 ? .stall : Self.lastChunk])
      }
      defer { station.close() }
      let rig = try Self.play(station)
      #expect(station.visits.count == 3)
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("A spare that becomes the lead while it repeats a file plays no audio twice")
  func inheritsTheLead() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.mp3(10)
      let bytes = clip.bytes
      // While the lead is lost, each piece is shorter than a packet.
      let pieces = stride(from: 40_000, to: 42_000, by: 100).flatMap { place -> [StationAction] in
        [.send(Array(bytes[place..<place + 100])), .wait(0.1)]
      }
      let spare = [.send(Array(bytes[..<40_000]))] + pieces + [.send(Array(bytes[42_000...])), Self.lastChunk]
      let station = try ScriptedStation { visit in
        Self.chunks(bytes.count, visit.number == 0 ? [.send(Array(bytes[..<100_000])), .stall] : spare)
      }
      defer { station.close() }
      let rig = try Self.play(station) { $0.dataTimeout = Duration(milliseconds: 4_000) }
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("A file whose responses all hang at the same byte ends after five requests without new audio")
  func hangsEachTime() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.mp3(30)
      let first = Array(clip.bytes.prefix(400_000))
      let station = try ScriptedStation { _ in Self.chunks(clip.bytes.count, [.send(first), .stall]) }
      defer { station.close() }
      let rig = try Self.play(station) { $0.dataTimeout = Duration(milliseconds: 4_000) }
      #expect(rig.names.contains("timeoutExceeded") && station.visits.count == 6)
      let sound = Clip(first).pcm()
      #expect(difference(Array(rig.pcm.prefix(sound.count)), sound) == nil)
    }
  }

  /// A file of 12 s with less than 64 KiB.
  private static let short = Clip(ToneMp3.frames(12 * 44_100 / 1_152, kilobits: 32, seed: 1))

  @Test("A short file that always breaks at its end ends after five requests without new audio")
  func breaksAtEnd() async throws {
    try await Stage.run(speed: 2) {
      let bytes = Self.short.bytes
      let station = try ScriptedStation { _ in Self.chunks(bytes.count + 1, [.send(bytes), .wait(0.2), .reset]) }
      defer { station.close() }
      let rig = try Self.play(station)
      #expect(station.visits.count == 6)
      #expect(difference(rig.pcm, Self.short.pcm()) == nil)
    }
  }

  @Test("Repeated audio with the headers of a station does not count as a success (R4.1)")
  func repetitionIsFailure() async throws {
    try await Stage.run(speed: 2) {
      let bytes = Self.short.bytes
      let station = try ScriptedStation { _ in
        Self.chunks(bytes.count + 1, [.send(bytes), .wait(0.2), .reset], headers: ["icy-name: Test FM"])
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.retry = .times(3) }
      #expect(rig.playOut(within: 60))
      #expect(station.visits.count == 4, "\(rig.names)")
    }
  }

  @Test("Connections that only repeat audio do not restart the eager phase (R4.1)")
  func retriesBackOff() async throws {
    try await Stage.run(speed: 16) {
      // Each connection delivers for 3 s, with less than the 10 s of audio that reset the retries.
      let clip = Clip.long(6)
      let station = try ScriptedStation { _ in
        Self.chunks(
          clip.bytes.count + 1, [.pace(clip.bytes, perSecond: 2 * clip.byteRate, burst: 0), .reset],
          headers: ["icy-name: Test FM"])
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      func backsOff() -> Bool {
        bench.notices.contains {
          if case .reconnecting(_, let delay, _) = $0.notice { delay > Duration(milliseconds: 4_000) } else { false }
        }
      }
      // The eager phase has about 40 requests.
      #expect(bench.run(400) { backsOff() || station.visits.count >= 70 })
      #expect(backsOff() && station.visits.count < 70)
    }
  }
}
