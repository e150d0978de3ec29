import ArgumentParser
import Settings

struct AnnounceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "announce",
    abstract: "Print the port at which other machines control the radio, or where its web panel is.",
    discussion: """
      Prints nothing where [control] listen is off, lets no other machine in, or leaves the port open. With --web it \
      prints the scheme and port of the web panel as the settings have them, such as "http 80", whether the panel is \
      on or not, and nothing where no other machine is let in. The service bakelite-announce calls it to tell the \
      local network.
      """)

  @Flag(help: "Print where the web panel is.")
  var web = false

  @Option(
    help: "Read the settings from this file (default: \(InstalledPaths.settings), where that exists).",
    completion: .file(extensions: ["toml"]))
  var config: String?

  func run() throws {
    do throws(SettingsErrors) {
      let usual = InstalledPaths.settings
      guard let path = config ?? (isFile(usual) ? usual : nil) else { return }
      let settings = try Configuration(path: path)
      if web { return putWeb(settings) }
      let listen = settings.control.listen
      if let listen, !listen.isLoopback, listen.port != 0 { putLine("\(listen.port)") }
    } catch {
      throw failure(Outcome(error.all), "\(error)")
    }
  }

  private func putWeb(_ settings: Configuration) {
    guard settings.web.listen?.isLoopback != true, settings.audio.output != .room else { return }
    putLine("\(settings.web.isEncrypted ? "https" : "http") \(settings.web.port)")
  }
}
