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
      The panel shows and drives the radio from a browser, by the radio's control socket. It is a program of its own, \
      bakelite-web, so that nothing of it is near the sound. Without --password-file a code is drawn at each start and \
      printed on standard error. On an address that other machines reach, whoever is in the network sees the page, and \
      the password keeps them from driving the radio; with --certificate and --key nobody can read it on the way.

      --set-password asks for a password, or reads it from standard input where that is no terminal, and writes its \
      hash to the file. The panel reads that file at each login.
      """)

  @Option(
    help: ArgumentHelp(
      "Serve here; may be given more than once. Default: \(Defaults.webAddress).", valueName: "address:port"))
  var listen: [String] = []

  @Option(
    help: ArgumentHelp(
      "Read the password's hash from this file, or write it there. Default for writing: \(Defaults.webPasswordFile).",
      valueName: "file"), completion: .file())
  var passwordFile: String?

  @Flag(help: "Ask for a password, write its hash to the file, and end.")
  var setPassword = false

  @Option(help: ArgumentHelp("Serve by HTTPS with this certificate (PEM).", valueName: "file"), completion: .file())
  var certificate: String?

  @Option(help: ArgumentHelp("The certificate's key (PEM).", valueName: "file"), completion: .file())
  var key: String?

  @Flag(help: "Show the radio, and change nothing.")
  var readOnly = false

  @Option(
    help: ArgumentHelp("Serve the page's files from this folder.", valueName: "folder"), completion: .directory)
  var files = Defaults.pageFolder

  @Option(help: ArgumentHelp("Use the radio at this socket.", valueName: "socket"), completion: .file())
  var socket = Defaults.controlSocket

  func validate() throws {
    if (certificate == nil) != (key == nil) {
      throw ValidationError("--certificate and --key belong together; give both.")
    }
    for text in listen where ListenAddress(text) == nil {
      throw ValidationError(
        "\(text) is no address to listen on; write a numeric address and a port, such as \(Defaults.webAddress).")
    }
  }

  func run() throws {
    let paths = [Self.beside, "/usr/bin/bakelite-web"].compactMap { $0 }
    for path in paths {
      withArguments(of: path) { _ = execv(path, $0) }
      guard errno == ENOENT else { throw failure(.failed, "\(path) cannot be started: \(errnoText(errno)).") }
    }
    throw failure(.failed, "The web panel is not installed: there is no \(paths.joined(separator: ", nor ")).")
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
