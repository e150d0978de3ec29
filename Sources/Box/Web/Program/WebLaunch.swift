import Units

/// The command line of `bakelite-web`.
enum WebLaunch: Equatable {
  case serve(WebOptions)
  /// Serve with the radio's settings until they change. Only page files and socket come from the options.
  case serveByRadio(WebOptions)
  /// Ask for a password and write its hash to a file.
  case setPassword(String)
  case printText(String)
  case refuse(String)

  private static let help = """
    Usage: bakelite-web [--listen ADDRESS:PORT]… [--password-file FILE] [--certificate FILE --key FILE] [--read-only]
                        [--files FOLDER] [--socket SOCKET]
           bakelite-web --set-password [--password-file FILE]
           bakelite-web --service [--files FOLDER] [--socket SOCKET]

    The web panel of a running radio.

      --listen ADDRESS:PORT   Serve here; may be given more than once. Default: \(Defaults.webAddress), unless the
                              service manager has opened a socket.
      --password-file FILE    Read the password's hash from this file. Default: draw a code, and print it.
      --set-password          Ask for a password, and write its hash to the file. Default: \(Defaults.webPasswordFile).
      --certificate FILE      Serve by HTTPS with this certificate (PEM).
      --key FILE              The certificate's key (PEM).
      --read-only             Show the radio, and change nothing.
      --files FOLDER          Serve the page's files from this folder. Default: \(Defaults.pageFolder).
      --socket SOCKET         Use the radio at this socket. Default: \(Defaults.controlSocket).
      --service               Serve the panel as the radio says, by [web] of its settings: where they name no address,
                              at the socket that the service manager has opened. End when it is off, or is to be
                              served in another way.
      --version               Show the version.
      -h, --help              Show help information.
    """

  private static var texts: KeyValuePairs<String, WritableKeyPath<WebOptions, String?>> {
    ["--password-file": \.passwordFile, "--certificate": \.certificate, "--key": \.key]
  }

  private static var paths: KeyValuePairs<String, WritableKeyPath<WebOptions, String>> {
    ["--files": \.files, "--socket": \.socket]
  }

  /// Parses the arguments up to the first fault or request for a text. Accepts "--option value" and "--option=value".
  init(_ arguments: some Sequence<String>) {
    var (options, setsPassword, isService) = (WebOptions(), false, false)
    var rest = Array(arguments)[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h":
        self = .printText(Self.help)
        return
      case "--version":
        self = .printText("bakelite-web \(Version.text)")
        return
      case "--read-only": options.isReadOnly = true
      case "--set-password": setsPassword = true
      case "--service": isService = true
      default:
        if let problem = Self.apply(word, &rest, &options) {
          self = .refuse(problem)
          return
        }
      }
    }
    if (options.certificate == nil) != (options.key == nil) {
      self = .refuse("--certificate and --key belong together; give both.")
    } else if isService {
      let own = WebOptions(files: options.files, socket: options.socket)
      self =
        setsPassword || options != own
        ? .refuse("--service allows only --files and --socket; the rest comes from [web] of the radio's settings.")
        : .serveByRadio(own)
    } else if setsPassword {
      let isAlone = options.listen.isEmpty && options.certificate == nil && !options.isReadOnly
      self =
        isAlone
        ? .setPassword(options.passwordFile ?? Defaults.webPasswordFile)
        : .refuse("--set-password serves nothing; give it --password-file alone.")
    } else {
      self = .serve(options)
    }
  }

  /// Applies an option with its value; returns the fault if invalid.
  private static func apply(_ word: String, _ rest: inout ArraySlice<String>, _ options: inout WebOptions) -> String? {
    let equals = word.hasPrefix("--") ? word.firstIndex(of: "=") : nil
    let option = String(word[..<(equals ?? word.endIndex)])
    let text = texts.first { $0.key == option }?.value
    let path = paths.first { $0.key == option }?.value
    guard option == "--listen" || text != nil || path != nil else {
      return "There is no option \"\(option)\"; bakelite-web --help lists all."
    }
    guard let value = equals.map({ String(word[word.index(after: $0)...]) }) ?? rest.popFirst(), !value.isEmpty else {
      return "\(option) needs a value; see bakelite-web --help."
    }
    if let text { options[keyPath: text] = value }
    if let path { options[keyPath: path] = value }
    guard option == "--listen" else { return nil }
    guard let address = ListenAddress(value) else {
      return
        "\(value) is not an address to listen on; write a numeric address and a port, such as \(Defaults.webAddress)."
    }
    options.listen.append(address)
    return nil
  }
}
