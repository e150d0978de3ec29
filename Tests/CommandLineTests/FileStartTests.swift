import Foundation
import TestSupport
import Testing

/// Files from the command line: where they begin, and how long they are (O1, R11.2).
@Suite struct FileStartTests {
  private static let clip = Clip(ToneMp3.frames(400, seed: 41))

  @Test("play --start begins with the sample that was asked for")
  func start() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let station = try ScriptedStation(FileServer(Self.clip.bytes))
      defer { station.close() }
      for place in [station.url("/song.mp3"), folder.write(Self.clip.bytes, to: "song.mp3")] {
        let output = "raw:" + folder.path + "/pcm"
        let run = try Program.run("play", "--output", output, "--pace", "free", "--start", "6.5", place)
        #expect(run.code == 0)
        let expected = Array(Self.clip.pcm().dropFirst(Int(6.5 * 44_100) * 4))
        let difference = difference(folder.bytes(of: "pcm"), expected)
        #expect(difference == nil)
      }
    }
  }

  @Test("probe tells a file's length without what its encoder added, and whether it can be gone through")
  func probe() async throws {
    try await Stage.run {
      let sound = Self.clip.bytes
      let bytes = ToneMp3.figures(400, byteCount: sound.count, delay: 576, padding: 1_105) + sound
      let station = try ScriptedStation(FileServer(bytes))
      defer { station.close() }
      let run = try Program.run("probe", "--json", station.url("/song.mp3"))
      let told = String(decoding: run.output, as: UTF8.self)
      #expect(told.contains(#""duration":10.411"#), "\(told)")
      #expect(told.contains(#""seekable":true"#))
    }
  }
}
