import ArgumentParser
import Settings
import System

struct SnapcastCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapcast",
    abstract: "Report a running radio's state to a Snapcast server, and send the server's commands to the radio.",
    discussion: """
      snapserver starts this command for a source with controlscript=bakelite-control, which is part of the package. \
      It uses JSON-RPC 2.0 on standard input and output, one message per line. It reports title, artist, station, \
      volume and playback state, and accepts play, pause, playPause, stop, next, previous, seek, setPosition and the \
      volume.

      The command ends when standard input ends. Without a radio, it reports to the server that nothing plays, and \
      reconnects after 0.25 s; each further delay doubles, up to 10 s. Options that snapserver adds are ignored.
      """)

  @Option("Use the radio at this socket.", value: "socket", completion: .file())
  var socket = InstalledPaths.socket

  @Option("Ignored; snapserver passes the stream's name.", value: "name")
  var stream: String?

  @Option("Ignored; snapserver passes the server's host.", value: "host")
  var snapcastHost: String?

  @Option("Ignored; snapserver passes the server's port.", value: "port")
  var snapcastPort: String?

  func run() throws {
    let session = SnapcastSession(socket: socket, clock: .machine)
    session.run()
  }
}
