import Settings
import Testing

@testable import bakelite

/// The check of the fallbacks (F4).
struct DoctorFallbackTests {
  @Test("Each fallback must be a station, an address or audio files, and the return needs enough blocks (F4)")
  func findings() {
    var settings = Configuration()
    func findings(_ text: String) -> [DoctorFinding] {
      let list = StationList.read(Array(text.utf8), file: "stations.toml")
      return DoctorFallback(settings, list.entries).findings
    }
    let station = "\n[[station]]\nname = \"FIP\"\nurl = \"http://fip/x\"\n"
    #expect(findings(station).isEmpty)
    // Without a fallback, ads are heard (B4).
    settings.continuity.ads = .other
    #expect(findings(station).map(\.verdict) == [.problem])
    #expect(findings(station).first?.words.hasPrefix("Ads are played: ") == true)
    #expect(findings(station + "fallback = [\"FIP\"]\n").map(\.verdict) == [.ok])
    settings.continuity.ads = .play
    settings.continuity.fallback = ["FIP", "http://other/x"]
    let fine = findings(station + "fallback = []\n")
    #expect(fine.map(\.words) == ["2 fallbacks can be used."] && fine.map(\.verdict) == [.ok])
    settings.buffer.blocks = 100
    let words = findings(station + "fallback = [\"Gone\", \"/missing/folder\"]\n").map(\.words)
    #expect(words.count == 3 && words[0].contains("\"Gone\" of \"FIP\" (line 2)"))
    #expect(words[1].contains("/missing/folder") && words[2].contains("192 blocks"))
  }
}
