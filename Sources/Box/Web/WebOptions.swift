import Units

struct WebOptions: Equatable, Sendable {
  /// The addresses; empty for the sockets of the service manager.
  var listen: [ListenAddress] = []
  /// The file of the password's hash; nil for a random code.
  var passwordFile: String?
  /// The files of certificate and key; nil for no encryption.
  var certificate: String?
  var key: String?
  var isReadOnly = false
  /// True if the radio is notified of a sign-in, so that it hides the code.
  var reportsLogin = false
  var files = Defaults.pageFolder
  var socket = Defaults.controlSocket
}
