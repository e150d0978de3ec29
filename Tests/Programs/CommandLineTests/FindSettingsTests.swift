import Directory
import DirectoryClient
import DirectorySupport
import Foundation
import Settings
import System
import TestSupport
import Testing
import Units

@testable import bakelite

@Suite struct FindSettingsTests {
  private let folder = TemporaryFolder()

  private func settings(_ text: String, owner: String? = nil) throws -> FindSettings {
    let path = folder.write(Array((text + "\n[state]\npath = \"\(folder.path)\"\n").utf8), to: "installed.toml")
    if let owner { folder.write(Array(owner.utf8), to: "owner.toml") }
    return try FindSettings(named: nil, installed: path)
  }

  private func isAllowed(_ settings: FindSettings, _ use: FindSettings.Use) -> Bool {
    (try? settings.check(for: use)) != nil
  }

  @Test("A fault in the installed settings blocks requests, and searches use the defaults (G6)")
  func mistake() throws {
    let broken = try settings("[directory]\nupdate_days = 0\npath = 7")
    #expect(!isAllowed(broken, .timer) && !isAllowed(broken, .request) && isAllowed(broken, .search))
    #expect(broken.directory == Configuration().directory && !broken.countsClicks)
  }

  @Test("Missing settings mean defaults; an unreadable file does not count as missing (G6)")
  func absent() throws {
    let gone = try FindSettings(named: nil, installed: folder.path + "/gone.toml")
    #expect(isAllowed(gone, .timer) && gone.directory == Configuration().directory)
    let file = folder.write([], to: "file")
    #expect(!isAllowed(try FindSettings(named: nil, installed: file + "/bakelite.toml"), .timer))
    #expect(throws: SettingsErrors.self) { try FindSettings(named: folder.path + "/gone.toml") }
  }

  @Test("Unreadable run-time changes block the timer and clicks (G6)")
  func owner() throws {
    let plain = "[directory]\ncount_clicks = true"
    #expect(try settings(plain).countsClicks)
    #expect(try settings(plain, owner: "[directory]\nupdate_days = 0\n").directory.updateDays == 0)
    let broken = try settings(plain, owner: "[directory]\ncount_clicks = maybe\n")
    #expect(!isAllowed(broken, .timer) && isAllowed(broken, .request) && isAllowed(broken, .search))
    #expect(!broken.countsClicks)
  }

  @Test(
    "An empty result names the unmatched part and suggestions (G1)",
    arguments: [
      (["--country", "UK"], "There is no country \"UK\" in the directory; did you mean GB (United Kingdom)?"),
      (["--country", "Deutschland"], "did you mean DE (Germany)?"),
      (["--country", "Germ"], "did you mean DE (Germany)?"),
      (["--country", "Germnay"], "did you mean DE (Germany)?"),
      (["--country", "Narnia"], "in the directory. Use a two-letter code"),
      (
        ["--tag", "smooth"],
        "No station has the tag \"smooth\"; did you mean \"smooth jazz\"? --tag requires a whole tag"
      ),
      (["--language", "germn"], "No station is in the language \"germn\"; did you mean \"german\"?"),
      (["--codec", "wma"], "No station has a codec that starts with \"wma\"; the most frequent ones are AAC, MP3."),
      (["zzzz"], "No station of the directory has \"zzzz\""),
      (["kitchen", "--country", "GB"], "No station matches all conditions together"),
    ])
  func nothing(_ arguments: [String], _ words: String) async throws {
    try await Stage.run {
      var (german, british) = (SampleStation(), SampleStation())
      (german.name, german.url, german.uuid) = ("Kitchen FM", "http://a.example/", FindRig.uuid)
      (german.countryCode, german.country, german.tags) = ("DE", "Germany", "smooth jazz,news")
      (german.language, german.codec) = ("german", "MP3")
      (british.name, british.url) = ("Other", "http://b.example/")
      british.uuid = String(FindRig.uuid.dropLast()) + "2"
      (british.countryCode, british.country, british.codec) = ("GB", "The United Kingdom", "AAC")
      (british.language, british.tags) = ("english", "pop")
      let rig = try FindRig(Array((SampleStation.csvHeader + german.csv + british.csv).utf8))
      #expect(try rig.update().code == 0)
      let run = try rig.begin(arguments).waitForEnd()
      #expect(run.code == 1 && run.errors.contains(words), "\(run.errors)")
    }
  }

  @Test("A click delays the end by a second at most, even with a silent name server (G6)")
  func click() throws {
    let uuid = try #require(StationUuid(FindRig.uuid))
    let asked = Gate()
    let click = Click(StationClick(uuid, agent: "", clock: .machine), clock: .machine) { _ in
      asked.open()
      // Blocks and ignores cancellation, like getaddrinfo(3).
      sleep(6)
      return []
    }
    let start = Clock.machine.now()
    try click.send { #expect(asked.wait(20)) }
    #expect((Clock.machine.now() - start).seconds < 4)
  }
}
