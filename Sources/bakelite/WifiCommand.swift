import ArgumentParser
import Glibc
import Settings

/// `bakelite wifi`.
struct WifiCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wifi",
    abstract: "Write what wifi.toml says to standard output, as wpa_supplicant reads it.",
    discussion: "The card's system calls it at each start; it holds the password in clear, so keep it to yourself.")

  @Argument(help: "The file, such as /boot/firmware/wifi.toml.")
  var file: String

  func run() throws {
    do throws(SettingsErrors) {
      write(try WifiSettings(path: file).supplicantText, to: STDOUT_FILENO)
    } catch {
      say("\(error)")
      quit(.wrongUse)
    }
  }
}
