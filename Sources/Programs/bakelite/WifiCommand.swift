import ArgumentParser
import Settings

/// `bakelite wifi`.
struct WifiCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wifi",
    abstract: "Write what wifi.toml says to standard output, as wpa_supplicant reads it.",
    discussion: "The system on the SD card calls it at each start. The output holds the password in plain text.")

  @Argument(help: "The file, such as /boot/firmware/wifi.toml.")
  var file: String

  func run() throws {
    do throws(SettingsErrors) {
      put(try WifiSettings(path: file).supplicantText)
    } catch {
      say("\(error)")
      quit(.wrongUse)
    }
  }
}
