import AudioOutput
import Blocks
import CAllocGuard
import Glibc
import Network
import RadioEngine
import SinkBench
import StationSupport
import TestSupport
import Testing
import Units

/// Simulates card failures with the guard's replacement of libasound functions.
extension AllocationTests {
  @Test("A failing card is reported, released and reopened within the thread rules", arguments: [ENODEV, EIO])
  func lostCard(_ error: Int32) async throws {
    try await Stage.run {
      let device = "plug:null"
      let station = try ScriptedStation([.live(), .send(Clip.mp3(10).bytes), .stall])
      defer { station.close() }
      var events: [Event] = []
      let radio = try Radio(RadioSettings(), OutputRequest(.alsa(device)))
      radio.onEvent = { event, _ in events.append(event) }
      guard_fail_write(device, 5, -Int(error))
      guard_arm("bk-render")
      radio.tune(StationRequest(url: station.url()))
      let deadline = monotonicSeconds() + 20
      while events.count(where: { $0.name == "playing" }) < 2, monotonicSeconds() < deadline {
        radio.step(Duration(milliseconds: 20))
      }
      let counts = guard_disarm()
      if counts.offences > 0 { guard_blame() }
      #expect(counts.offences == 0)
      _ = radio.close()
      let words = error == ENODEV ? "no such device" : "input/output error"
      let failure = SinkError.deviceFailed(device, message: words)
      #expect(radio.sinkFailure == nil && radio.deviceFailure == nil)
      let names: Set = ["deviceLost", "willSuspend", "suspended", "deviceBack", "resumed"]
      let told = events.filter { names.contains($0.name) }
      #expect(told.map(\.name) == ["deviceLost", "willSuspend", "suspended", "deviceBack", "resumed"])
      #expect(told.first == .deviceLost(device: device, message: failure.description))
    }
  }

  /// Returns one channel of the audio written to a card. Write number `failing` ends with an xrun. `cut`: frames
  /// accepted by the previous write; nil for all frames. The card is a plug-in that stores its input. All audio is
  /// decoded before the start, so that only the xrun can cause a gap.
  private func writtenSamples(of sound: [Int16], failing: Int, cutTo cut: UInt? = nil) throws -> [Int16] {
    let folder = TemporaryFolder()
    let file = open(folder.path + "/card", O_RDWR | O_CREAT, 0o600)
    defer { close(file) }
    let device = "file:/dev/fd/\(file),raw"
    let bench = try SinkBench(OutputRequest(.alsa(device)), isRunning: false)
    bench.tune(to: 1)
    #expect(try bench.feed(sound.flatMap { [Int32($0) << 8, Int32($0) << 8] }, flags: .end))
    if let cut { guard_cut_write(cut) }
    guard_fail_write(device, failing, -Int(EPIPE))
    bench.thread.run()
    #expect(try bench.waitForEnd())
    #expect(bench.board.pointee.xruns.load(ordering: .acquiring) == 1)
    bench.thread.stop()
    var samples = [Int16](repeating: 0, count: 2 * sound.count)
    #expect(samples.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) } == 4 * sound.count)
    return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
  }

  @Test func whatFollowsAnXrunRises() throws {
    let level: Int16 = 20_000
    let left = try writtenSamples(of: [Int16](repeating: level, count: 30_000), failing: 5)
    let torn = try #require(left.firstIndex { $0 < level }, "nothing rises")
    let ramp = left[torn...].prefix { $0 < level }
    #expect(torn == 4 * 2_205 && (218...221).contains(ramp.count))
    #expect(left[torn] <= level / 220 + 1 && zip(ramp, ramp.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(left[(torn + ramp.count)...].allSatisfy { $0 == level })
  }

  /// After a partial write and an underrun, the card must receive the rest without repeated or lost frames.
  @Test("A partial write and an xrun after it repeat no frame (D2)") func noFrameTwice() throws {
    let sound = (0..<30_000).map { Int16(10_000 + $0 / 2) }
    let left = try writtenSamples(of: sound, failing: 6, cutTo: 300)
    let torn = try #require(left.indices.first { left[$0] < sound[$0] }, "nothing rises")
    // Four full writes and a part of the fifth.
    #expect(torn == 4 * 2_205 + 300)
    let whole = left.indices.filter { !(torn..<torn + 221).contains($0) }
    #expect(whole.allSatisfy { left[$0] == sound[$0] })
  }
}
