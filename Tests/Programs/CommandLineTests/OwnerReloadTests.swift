import Foundation
import TestSupport
import Testing

/// Changes an owner's setting while the box reloads its settings (D16).
@Suite(.enabled(if: Shim.works, "needs clang, and no sanitizer"))
struct OwnerReloadTests {
  @Test("A change written while the file is read again is not lost")
  func changeMeanwhile() async throws {
    try await Stage.run {
      let box = try Box(stations: [("One", "http://127.0.0.1:9/")])
      let hold = box.folder.path + "/hold"
      try box.start("null", preload: try Shim("meanwhile"), environment: ["BAKELITE_HOLD": hold])
      #expect(box.manager.receives("READY=1"))
      let (peer, other) = (try ControlPeer(box.socket), try ControlPeer(box.socket))
      #expect(peer.request("radio_setting panel.scroll_ms 200")?.last == "panel.scroll_ms: 200")
      #expect(box.fileBecomes("owner.toml") { $0.contains("200") })
      box.folder.write([], to: "hold.rename")
      #expect(peer.request("radio_setting panel.scroll_ms 300")?.last == "panel.scroll_ms: 300")
      #expect(Self.isThere(hold + ".rename.waits"), "the new file is about to take the old one's place")
      box.folder.write([], to: "hold.close")
      other.send(Array("radio_reload\n".utf8))
      #expect(Self.isThere(hold + ".close.waits"), "the old one was read")
      try FileManager.default.removeItem(atPath: hold + ".rename")
      #expect(box.fileBecomes("owner.toml") { $0.contains("300") })
      #expect(Self.isThere(box.folder.path + "/.owner.toml.lock", isSo: false))
      // The writer thread forgets the change a moment later. On a machine too slow for this pause the test proves
      // nothing.
      usleep(50_000)
      try FileManager.default.removeItem(atPath: hold + ".close")
      #expect(peer.request("radio_setting panel.scroll_ms") == ["panel.scroll_ms: 300"])
      #expect(try box.switchOff().code == 0)
    }
  }

  private static func isThere(_ path: String, isSo: Bool = true) -> Bool {
    let end = monotonicSeconds() + 10
    while FileManager.default.fileExists(atPath: path) != isSo {
      guard monotonicSeconds() < end else { return false }
      usleep(5_000)
    }
    return true
  }
}
