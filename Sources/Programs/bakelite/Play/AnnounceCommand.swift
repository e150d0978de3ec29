import ArgumentParser
import Settings

struct AnnounceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "announce",
    abstract: "Print the port of the control protocol for other machines, or scheme and port of the web panel.",
    discussion: """
      Prints the port of [control] listen. Prints nothing if the setting is empty, is a loopback address, or has port \
      0. With --web, prints scheme and port of the web panel, such as "http 80", also if the panel is off; prints \
      nothing for a loopback address or a room (output = "room"). The service bakelite-announce runs this command.
      """)

  @Flag(help: "Print scheme and port of the web panel.")
  var web = false

  @Option(
    help: "Read the settings from this file. Default: \(InstalledPaths.settings), if it exists.",
    completion: .file(extensions: ["toml"]))
  var config: String?

  func run() throws {
    let usual = InstalledPaths.settings
    guard let path = config ?? (isFile(usual) ? usual : nil) else { return }
    let settings = try Configuration(path: path, replacesValues: true)
    if web { return putWeb(settings) }
    let port = settings.control.listen.first { !$0.isLoopback }?.port ?? 0
    if port != 0 { putLine("\(port)") }
  }

  private func putWeb(_ settings: Configuration) {
    guard settings.web.mainAddress?.isLoopback != true, settings.audio.output != .room else { return }
    putLine("\(settings.web.isEncrypted ? "https" : "http") \(settings.web.port)")
  }
}
