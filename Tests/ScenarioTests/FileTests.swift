import Foundation
import Radio
import TestSupport
import Testing
import Units

/// Files are played whole: to the last sample, and not one more.
@Suite struct FileTests {
  @Test("a file by HTTP plays to its last sample, and is complete only then (R11.2)")
  func playsWebFile() async throws {
    try await Stage.run {
      let clip = Clip.mp3(6)
      let station = try ScriptedStation([.file(clip.bytes.count), .send(clip.bytes)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/song.mp3"))
      #expect(rig.playOut())
      #expect(rig.names.first == "connecting")
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"])
      guard case .fileComplete(let heard) = rig.next("fileComplete") else { return }
      #expect(abs(heard - clip.duration) < 0.001)
      #expect(rig.events.last?.event == .stopped(.end))
      let summary = rig.radio.close()
      #expect(abs(summary.heard - clip.duration) < 0.001)
      #expect(summary.bytes == clip.bytes.count)
      #expect(rig.pcm == clip.pcm())
    }
  }

  @Test("a local file plays to its last sample", arguments: [1, 2])
  func playsLocalFile(kind: Int) async throws {
    try await Stage.run {
      let clip = kind == 1 ? Clip.mp3(5) : Clip.aac(5)
      let folder = TemporaryFolder()
      let path = folder.write(clip.bytes, to: "süß #1.audio")
      let rig = try RadioRig()
      rig.tune("file://" + path.replacingOccurrences(of: "ü", with: "%C3%BC").replacingOccurrences(of: "ß", with: "%C3%9F")
        .replacingOccurrences(of: " ", with: "%20").replacingOccurrences(of: "#", with: "%23"))
      #expect(rig.playOut())
      #expect(rig.names.contains("fileComplete"))
      _ = rig.radio.close()
      #expect(rig.pcm == clip.pcm())
    }
  }
}
