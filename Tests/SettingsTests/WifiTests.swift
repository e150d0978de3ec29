import TestSupport
import Testing

@testable import Settings

/// What a person writes into `wifi.toml`, and what comes of it (N6).
@Suite("Wi-Fi")
struct WifiTests {
  private func wifi(_ text: String) throws(SettingsErrors) -> WifiSettings {
    try WifiSettings(Array(text.utf8), file: "wifi.toml")
  }

  private func problem(_ text: String) -> String {
    do throws(SettingsErrors) { return "\(try wifi(text))" } catch { return "\(error)" }
  }

  @Test("the file that is on the card joins nothing, and names every key")
  func documented() throws {
    let text = TestSupport.Repository.text("image/card/boot/wifi.toml")
    #expect(try wifi(text) == WifiSettings())
    #expect(try wifi(text).supplicantText == "ctrl_interface=DIR=/run/wpa_supplicant\nupdate_config=0\n")
    for key in ["country", "ssid", "password", "hidden"] { #expect(text.contains("\n\(key) = "), "\(key)") }
  }

  @Test("a network is joined by its password, whatever its name is made of")
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

  @Test("an open network needs no password, a hidden one is asked for, and a key is no password")
  func others() throws {
    #expect(try wifi("ssid = \"Open\"").supplicantText.contains("key_mgmt=NONE\n}"))
    #expect(try wifi("ssid = \"Secret\"\nhidden = true").supplicantText.contains("scan_ssid=1"))
    let key = String(repeating: "0aF9", count: 16)
    #expect(try wifi("ssid = \"A\"\npassword = \"\(key)\"").supplicantText.contains("psk=\(key)\n"))
  }

  @Test(
    "what cannot be a network is told with its line, and never the password",
    arguments: [
      ("country = \"de\"", "line 1: country is \"de\", and must be two capital letters, such as \"DE\", or \"\""),
      ("ssid = \"\(String(repeating: "ß", count: 17))\"", "line 1: ssid is "),
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
