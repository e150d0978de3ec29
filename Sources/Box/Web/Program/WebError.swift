import System
import Units

/// The reason why the panel is not served.
enum WebError: Error, Equatable, CustomStringConvertible {
  case page(PageFilesError)
  case password(PasswordFileError)
  case listen(String, ListenAddress.ListenError)
  case unreadable(String, errno: Int32)
  case badCertificate
  case noDaemon
  case noSocket
  case noCredential(String)
  case noOrders(String)

  var description: String {
    switch self {
    case .page(let error): error.description
    case .password(let error): error.description
    case .listen(let address, .badAddress): "The panel cannot be served at \(address), which is not an address."
    case .listen(let address, .refused(let code)):
      "The panel cannot be served at \(address): \(errnoText(code)); choose another one by --listen."
    case .unreadable(let path, let code): "The file \(path) cannot be read: \(errnoText(code))."
    case .badCertificate: "The certificate and the key cannot be used; both have to be PEM, and belong to each other."
    case .noDaemon: "The web server cannot be started."
    case .noSocket:
      "There is no socket to serve the panel at; start bakelite-web.socket, or name an address by [web] listen."
    case .noCredential(let name):
      "\(name) in [web] is no path, and the service manager gave no credentials; name a file, or add "
        + "LoadCredential= to bakelite-web.service."
    case .noOrders(let sentence): "The radio did not send the settings of the web panel: \(sentence)."
    }
  }
}
