import Settings
import TestSupport
import Testing

@Suite struct MovedStationsTests {
  @Test("A preset that may have moved is marked in the list, with its old address (G5)")
  func moved() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let list = StationsTests.list.replacing(
        "gain = -3.5", with: "alternatives = [\"http://anna:geheim@old.example/?token=abc\"]")
      let path = folder.write(Array(list.utf8), to: "stations.toml")
      var health = PresetHealth()
      health.ask(
        .init(url: "http://new.example/?token=geheim", name: "FIP", directoryID: ""),
        of: "https://fip.example/midfi.mp3", at: 0)
      try PresetHealthFile(folder: folder.path).save(health)
      let owner = folder.path + "/owner.toml"
      let plain = try Program.run("stations", "list", "--stations", path, "--owner", owner)
      #expect(
        plain.outputText == """
            1  FIP            https://fip.example/midfi.mp3  moved? http://new.example/
            2  Ö1 & "<news>"  http://o.example/live  also http://old.example/

          """)
      let json = try Program.run("stations", "list", "--json", "--stations", path, "--owner", owner).outputText
      #expect(
        json.contains("\"moved\":\"http://new.example/\"")
          && json.contains("\"alternatives\":[\"http://old.example/\"]"))
      #expect(!json.contains("geheim"))
      let other = try Program.run("stations", "list", "--stations", path).outputText
      #expect(!other.contains("moved?"))
    }
  }
}
