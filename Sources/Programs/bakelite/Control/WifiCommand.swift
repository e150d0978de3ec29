import ArgumentParser
import Settings

struct WifiCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wifi",
    abstract: "Translate wifi.toml to wpa_supplicant's format, on standard output.",
    discussion: "The SD card image runs this command at each start. The output contains the password in plain text.")

  @Argument(help: "The file, such as /boot/firmware/wifi.toml.", completion: .file(extensions: ["toml"]))
  var file: String

  func run() throws { put(try WifiSettings(path: file).supplicantText) }
}
