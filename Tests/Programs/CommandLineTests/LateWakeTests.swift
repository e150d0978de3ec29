import Foundation
import StationSupport
import TestSupport
import Testing

/// A thread that is woken late, after its value was already removed, must not keep the control thread awake.
@Suite(.enabled(if: Shim.works, "needs clang, and no sanitizer"))
struct LateWakeTests {
  /// Counts the waits of a box's control thread.
  private struct Waits {
    let folder: TemporaryFolder

    init(_ folder: TemporaryFolder) {
      self.folder = folder
      folder.write([UInt8](repeating: 0, count: 8), to: "waits")
    }

    var path: String { folder.path + "/waits" }

    var count: UInt64 { folder.bytes(of: "waits").reversed().reduce(0) { $0 << 8 | UInt64($1) } }

    /// Returns the waits per second, measured for 3 s.
    func rate() -> Double {
      let (start, before) = (monotonicSeconds(), count)
      usleep(3_000_000)
      return Double(count - before) / (monotonicSeconds() - start)
    }
  }

  @Test("The control thread rests although each wake-up comes 30 ms late")
  func rests() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(60)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/one"))])
      let waits = Waits(box.folder)
      try box.start("null", preload: try Shim("latewakes"), environment: ["BAKELITE_WAITS": waits.path])
      #expect(box.manager.receives("STATUS=playing: One"))
      let peer = try ControlPeer(box.socket)
      #expect(waits.count > 0)
      // The directory is opened by a worker. The second request removes the result before the worker's wake-up.
      for _ in 0..<4 {
        _ = peer.request("radio_find jazz")
        usleep(10_000)
      }
      let rate = waits.rate()
      #expect(rate <= 30, "\(rate) waits per second")
      #expect(try box.switchOff().code == 0)
    }
  }
}
