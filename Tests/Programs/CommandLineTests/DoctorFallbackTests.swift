import Settings
import Testing

@testable import bakelite

/// The check of the fallbacks (F4).
struct DoctorFallbackTests {
  @Test("Each fallback must be a station, an address or audio files, and the return needs enough blocks (F4)")
  func findings() {
    var settings = Configuration()
    var station = StationSettings(name: "FIP", url: "http://fip/x")
    #expect(DoctorFallback(settings, [station]).findings.isEmpty)
    settings.continuity.fallback = ["FIP", "http://other/x"]
    station.fallback = []
    let fine = DoctorFallback(settings, [station]).findings
    #expect(fine.map(\.words) == ["2 fallbacks can be used."] && fine.map(\.verdict) == [.ok])
    station.fallback = ["Gone", "/missing/folder"]
    settings.buffer.blocks = 100
    let words = DoctorFallback(settings, [station]).findings.map(\.words)
    #expect(words.count == 3 && words[0].contains("\"Gone\"") && words[1].contains("/missing/folder"))
    #expect(words[2].contains("192 blocks"))
  }
}
