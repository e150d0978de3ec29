import SeededRandom
import TestSupport
import Testing

@testable import Settings

@Suite("Hostile settings")
struct HostileTests {
  static let files = ["config/bakelite.toml", "config/stations.toml", "boards/max98357a.toml", "boards/simulated.toml"]

  @Test("A file cut at any byte is read or refused, with its stations before the cut", arguments: files)
  func cuts(_ path: String) throws {
    let bytes = Repository.bytes(path)
    let all = StationList.read(bytes, file: "x").entries.map(\.station.name)
    for count in bytes.indices where count < 200 || count % 29 == 0 {
      let head = Array(bytes[..<count])
      readAll(head)
      guard path.contains("stations") else { continue }
      let names = StationList.read(head, file: "x").entries.map(\.station.name)
      #expect(all.starts(with: names))
      #expect(names.count >= String(decoding: head, as: UTF8.self).split(separator: "[[station]]").count - 2)
    }
  }

  @Test("Random bytes in a file are read or refused", arguments: files, 0..<4 as Range<UInt64>)
  func noise(_ path: String, _ seed: UInt64) {
    var random = SeededGenerator(seed)
    let bytes = Repository.bytes(path)
    for _ in 0..<20 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = changed.indices.randomElement(using: &random) ?? 0
        changed[index] =
          Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random)
          : Array("[]{}=\".'#\n,".utf8).randomElement(using: &random) ?? 0
      }
      readAll(changed)
    }
  }

  @Test(
    "Many repetitions are refused in time", .timeLimit(.minutes(3)),
    arguments: [
      "[", "[[", "{", "a.", "a={", "a=[", "\"", "'", "\"\"\"", "#", "\n", "[[station]]\n", "[a.", "a", "=", "\u{FEFF}",
      "[[station]]\nname=\"a\"\nurl=\"http://a\"\n", "a\"\"\"=1\n#", "\\u", "9", ".", "- ", "k=1\nk", "\u{1}",
    ])
  func repetition(_ piece: String) {
    let text = Array(String(repeating: piece, count: (24 << 10) / piece.utf8.count).utf8)
    for head in ["", "x = ", "x = [\"\"\"\n#\"\"\", {"] { readAll(Array(head.utf8) + text) }
  }

  @Test("Nesting up to the limit is read")
  func deep() {
    let dots = String(repeating: "a.", count: 63) + "a"
    let values = String(repeating: "{\(dots) = [\n", count: 7) + String(repeating: "]}", count: 7)
    let text = "[\(dots)]\n\(dots) = [\n" + values + "]\n"
    let errors = #expect(throws: SettingsErrors.self) { try configuration(text) }
    #expect(errors?.description.contains("there is no key \"a\" here") == true, "\(errors as Any)")
    readAll(Array(text.utf8))
  }

  @Test("The number of reported problems is limited")
  func many() {
    let text = (1...5_000).map { "k\($0) = 1\n" }.joined()
    #expect(throws: SettingsErrors.self) { try configuration(text) }
    #expect(StationList.read(Array(text.utf8), file: "x").problems.count <= 101)
  }

  private func readAll(_ bytes: [UInt8]) {
    _ = try? Configuration(bytes, file: "x")
    _ = try? Board(bytes, file: "x")
    _ = try? OwnerSettings(bytes, file: "x")
    _ = SavedQueue(bytes)
    _ = StationList.read(bytes, file: "x")
    if let file = try? StationFile(bytes, file: "x") { #expect(file.bytes.starts(with: bytes)) }
  }
}

/// Owners' entries in `wifi.toml`, and the resulting settings or errors (N6).
@Suite("Wi-Fi")
struct WifiTests {
  private func wifi(_ text: String) throws(SettingsErrors) -> WifiSettings {
    try WifiSettings(Array(text.utf8), file: "wifi.toml")
  }

  private func problem(_ text: String) -> String {
    do throws(SettingsErrors) { return "\(try wifi(text))" } catch { return "\(error)" }
  }

  @Test("The file on the card joins no network, and names every key")
  func documented() throws {
    let text = TestSupport.Repository.text("image/card/boot/wifi.toml")
    #expect(try wifi(text) == WifiSettings())
    #expect(try wifi(text).supplicantText == "ctrl_interface=DIR=/run/wpa_supplicant\nupdate_config=0\n")
    for key in ["country", "ssid", "password", "hidden"] { #expect(text.contains("\n\(key) = "), "\(key)") }
  }

  @Test("A network is joined by password, under any name")
  func joins() throws {
    let settings = try wifi(
      """
      country = "DE"
      ssid = "Käthes \\"Netz\\""
      password = "a \\"quoted\\" }word"
      """)
    #expect(
      settings.supplicantText
        == """
        ctrl_interface=DIR=/run/wpa_supplicant
        update_config=0
        country=DE
        network={
          ssid=4bc3a474686573202…
          scan_ssid=0
          key_mgmt=WPA-PSK SAE
          ieee80211w=1
          psk="a "quoted" }word"
        }

        """.replacing("4bc3a474686573202…", with: "4bc3a4746865732022" + "4e65747a22"))
  }

  @Test("An open network needs no password, a hidden one is probed, and a key is accepted")
  func others() throws {
    #expect(try wifi("ssid = \"Open\"").supplicantText.contains("key_mgmt=NONE\n}"))
    #expect(try wifi("ssid = \"Secret\"\nhidden = true").supplicantText.contains("scan_ssid=1"))
    let key = String(repeating: "0aF9", count: 16)
    #expect(try wifi("ssid = \"A\"\npassword = \"\(key)\"").supplicantText.contains("psk=\(key)\n"))
  }

  @Test(
    "An impossible network is reported with its line, without the password",
    arguments: [
      ("country = \"de\"", "line 1: country must be two capital letters, such as \"DE\", or \"\""),
      ("ssid = \"\(String(repeating: "ß", count: 17))\"", "line 1: ssid must be "),
      ("\npassword = \"hunter2\"", "line 2: password must be 8 to 63 letters"),
      ("password = \"geheim\\u0000geheim\"", "line 1: password must be"),
      ("pasword = \"geheimgeheim\"", "line 1: there is no key \"pasword\" here; did you mean password?"),
      ("ssid = Netz", "line 1"),
    ])
  func refuses(text: String, told: String) {
    let problem = problem(text)
    #expect(problem.contains("wifi.toml, " + told), "\(problem)")
    #expect(!problem.contains("hunter2") && !problem.contains("geheim"))
  }
}
