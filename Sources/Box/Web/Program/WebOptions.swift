import Units

struct WebOptions: Equatable, Sendable {
  /// The listening addresses; empty for the sockets of the service manager.
  var listen: [ListenAddress] = []
  /// Path of the file with the password's hash; nil for a random code.
  var passwordFile: String?
  /// Paths of certificate and key; nil for no encryption.
  var certificate: String?
  var key: String?
  var isReadOnly = false
  /// True to notify the radio of a sign-in; the radio then hides the code.
  var reportsLogin = false
  /// The folder in which sessions are stored; nil to store none.
  var state: String?
  var files = Defaults.pageFolder
  var socket = Defaults.controlSocket
}
