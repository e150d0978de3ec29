import ArgumentParser
import Glibc
import System
import Units

/// Replaces this process by the program `bakelite-web` of the same folder, or by the installed one.
struct WebCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract: "Serve the web panel of a running radio.",
    discussion: """
      The panel shows and controls the radio in a browser, by the radio's control socket. It is a separate program, \
      bakelite-web, and does not affect playback. Without --password-file, prints a new login code on standard error \
      at each start. On an address reachable by other machines, everyone in the network can load the page, and the \
      password protects the controls; --certificate and --key encrypt the connection.

      --set-password asks for a password, or reads it from standard input if that is not a terminal, and writes its \
      hash to the file. The panel reads the file at each login.
      """)

  @Option(
    "Serve at this numeric address and port; may be repeated. Default: \(Defaults.webAddress).", value: "address:port")
  var listen: [String] = []

  @Option(
    "Read the password's hash from this file, or write it there. Default for writing: \(Defaults.webPasswordFile).",
    value: "file", completion: .file())
  var passwordFile: String?

  @Flag(help: "Ask for a password, write its hash to the file, and exit.")
  var setPassword = false

  @Option("Serve by HTTPS with this certificate (PEM).", value: "file", completion: .file())
  var certificate: String?

  @Option("Use this key of the certificate (PEM).", value: "file", completion: .file())
  var key: String?

  @Flag(help: "Show the radio without controls.")
  var readOnly = false

  @Option("Serve the page's files from this folder.", value: "folder", completion: .directory)
  var files = Defaults.pageFolder

  @Option("Use the radio at this socket.", value: "socket", completion: .file())
  var socket = Defaults.controlSocket

  func validate() throws {
    if (certificate == nil) != (key == nil) {
      throw ValidationError("--certificate and --key require each other; use both.")
    }
    for text in listen where ListenAddress(text) == nil {
      throw ValidationError(
        "--listen is \"\(text)\", and must be a numeric address and a port, such as \(Defaults.webAddress).")
    }
  }

  func run() throws {
    let paths = [Self.beside, "/usr/bin/bakelite-web"].compactMap { $0 }
    for path in paths {
      withArguments(of: path) { _ = execv(path, $0) }
      guard errno == ENOENT else { throw failure(.failed, "\(path) cannot be started: \(errnoText(errno)).") }
    }
    throw failure(.failed, "The web panel is not installed: \(paths.joined(separator: " and ")) do not exist.")
  }

  private static var beside: String? {
    guard let own = resolvedPath("/proc/self/exe"), let slash = own.lastIndex(of: "/") else { return nil }
    return own[...slash] + "bakelite-web"
  }

  /// Passes the arguments for `execv(3)` to `body`, which must not store them.
  private func withArguments(of path: String, _ body: ([UnsafeMutablePointer<CChar>?]) -> Void) {
    var words = [path]
    for address in listen { words += ["--listen", address] }
    for (option, value) in [("--password-file", passwordFile), ("--certificate", certificate), ("--key", key)] {
      if let value { words += [option, value] }
    }
    words += ["--files", files, "--socket", socket]
    if readOnly { words.append("--read-only") }
    if setPassword { words.append("--set-password") }
    let arguments = words.map { strdup($0) }
    body(arguments + [nil])
    for argument in arguments { free(argument) }
  }
}
