import ArgumentParser
import Settings

/// `bakelite announce`.
struct AnnounceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "announce",
    abstract: "Print the port at which other machines control the radio.",
    discussion: """
      Prints nothing where [control] listen is off, lets no other machine in, or leaves the port open. The service \
      bakelite-announce calls it to tell the local network.
      """)

  @Option(
    help: "Read the settings from this file (default: \(InstalledPaths.settings), where that exists).",
    completion: .file(extensions: ["toml"]))
  var config: String?

  func run() throws {
    do throws(SettingsErrors) {
      let usual = InstalledPaths.settings
      guard let path = config ?? (isFile(usual) ? usual : nil) else { return }
      let listen = try Configuration(path: path).control.listen
      if let listen, !listen.isLoopback, listen.port != 0 { putLine("\(listen.port)") }
    } catch {
      throw failure(Outcome(error.all), "\(error)")
    }
  }
}
