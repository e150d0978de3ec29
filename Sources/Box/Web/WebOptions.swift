import Units

/// How the panel is served.
struct WebOptions: Equatable, Sendable {
  /// Where; nothing: at the sockets that the service manager has opened.
  var listen: [ListenAddress] = []
  /// The file with the password's hash; nil: a code is drawn.
  var passwordFile: String?
  /// The files of a certificate and of its key; nil: nothing is encrypted.
  var certificate: String?
  var key: String?
  /// Whether the panel shows the radio and changes nothing.
  var isReadOnly = false
  /// Whether the radio is told that somebody signed in: it then shows the code no longer.
  var tellsLogin = false
  /// The folder of the page's files.
  var files = Defaults.pageFolder
  /// The radio's control socket.
  var socket = Defaults.controlSocket
}
