import Glibc

/// Location of the certificates trusted for TLS.
public struct TrustStore: Sendable {
  /// File of PEM certificates (`CURLOPT_CAINFO`).
  let file: String?

  /// Directory of PEM certificates, named by hash (`CURLOPT_CAPATH`). Only the needed certificates are read.
  let directory: String?

  /// Creates the store from `SSL_CERT_FILE` and `SSL_CERT_DIR`; without both, from the system's directory.
  ///
  /// - Parameter variable: Returns the value of an environment variable; by default of this process.
  public init(variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }) {
    let file = variable("SSL_CERT_FILE") ?? ""
    let directory = variable("SSL_CERT_DIR") ?? ""
    self.file = file.isEmpty ? nil : file
    self.directory = !directory.isEmpty ? directory : file.isEmpty ? "/etc/ssl/certs" : nil
  }
}
