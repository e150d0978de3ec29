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

  @Option(help: "Read the settings from this file.", completion: .file(extensions: ["toml"]))
  var config = InstalledPaths.settings

  func run() throws {
    do throws(SettingsErrors) {
      let listen = try Configuration(path: config).control.listen
      if let listen, !listen.isLoopback, listen.port != 0 { putLine("\(listen.port)") }
    } catch {
      throw failure(Outcome(error.all), "\(error)")
    }
  }
}
