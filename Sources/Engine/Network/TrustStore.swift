import Glibc

/// Where the certificates lie that TLS trusts.
public struct TrustStore: Sendable {
  /// A file of PEM certificates (`CURLOPT_CAINFO`).
  let file: String?

  /// A folder of them, named by hash (`CURLOPT_CAPATH`), from which only the one needed is read.
  let directory: String?

  /// What `SSL_CERT_FILE` and `SSL_CERT_DIR` name; without either, the system's folder.
  ///
  /// - Parameter variable: The value of an environment variable; those of this process by default.
  public init(variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }) {
    let file = variable("SSL_CERT_FILE") ?? ""
    let directory = variable("SSL_CERT_DIR") ?? ""
    self.file = file.isEmpty ? nil : file
    self.directory = !directory.isEmpty ? directory : file.isEmpty ? "/etc/ssl/certs" : nil
  }
}
