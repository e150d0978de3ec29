import ArgumentParser
import Settings
import System

struct SnapcastCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapcast",
    abstract: "Tell a Snapcast server what a running radio plays, and the radio what its rooms ask for.",
    discussion: """
      snapserver starts this command by itself, for a source with controlscript=bakelite-control, which the package \
      brings. It speaks JSON-RPC 2.0 on standard input and output, a line each: title, artist, station, volume, and \
      whether the radio plays; play, pause, playPause, stop, next, previous, seek, setPosition, and the volume.

      It ends when standard input ends. While no radio answers, it tells the server that nothing plays, and tries \
      again after 0.25 s, then less and less often, up to every 10 s. The options that snapserver adds are accepted \
      and not needed.
      """)

  @Option(help: ArgumentHelp("Use the radio at this socket.", valueName: "socket"), completion: .file())
  var socket = InstalledPaths.socket

  @Option(help: ArgumentHelp("The stream's name, as snapserver tells it; not needed.", valueName: "name"))
  var stream: String?

  @Option(help: ArgumentHelp("The server's host, as snapserver tells it; not needed.", valueName: "host"))
  var snapcastHost: String?

  @Option(help: ArgumentHelp("The server's port, as snapserver tells it; not needed.", valueName: "port"))
  var snapcastPort: String?

  func run() throws {
    let session = SnapcastSession(socket: socket, clock: .machine)
    session.run()
  }
}
