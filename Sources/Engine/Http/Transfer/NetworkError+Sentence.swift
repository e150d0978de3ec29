import Glibc
import System
import Units

extension NetworkError {
  /// One sentence for the listener: event, object and remedy, without passwords, queries and control characters.
  ///
  /// - Parameter url: The requested address as typed.
  public func sentence(for url: StationAddress) -> String {
    let address = try? WebAddress(url, allowsFile: true)
    return sentence(
      url: (address?.url ?? url).description, host: address?.host, port: address?.port ?? 0,
      path: address?.isFile == true ? address?.filePath : nil)
  }

  /// Returns the sentence for the parts of an address. `host`: nil if invalid. `path`: path of a local file.
  package func sentence(url: String, host: String?, port: Int, path: String?) -> String {
    let server = host.map { "\($0), port \(port)," } ?? url
    let host = host ?? url
    return switch self {
    case .badURL: "“\(url)” is not an address; write it like http://radio.example:8000/live."
    case .badScheme(let scheme):
      "Bakelite speaks http and https, but “\(url)” leads to “\(scheme)”; look for another address of the station."
    case .badHeader: "A header to send to \(host) is not “Name: value” on one line; correct it in the settings."
    case .hostNotFound: "The host \(host) does not exist; check the spelling of the address or the name server."
    case .nameServer: "No name server answers to say where \(host) is; check the router or the name server."
    case .namesDenied:
      "This machine is probably offline: the name servers know no name, such as \(host); check the router's connection."
    case .noNetwork: "This machine is offline and cannot reach \(host); check the cable or the wireless connection."
    case .unreachable: "There is no route to \(host) from this network; check the router or a firewall."
    case .refused: "\(server) refuses connections; check the port, or wait until the station is back."
    case .connectTimeout: "\(server) does not answer; check the address, or wait until the station is back."
    case .proxyFailed: "The proxy on the way to \(host) does not work; check http_proxy and https_proxy."
    case .tls(let fault): fault.sentence(host)
    case .reset: "\(server) broke the connection; try again."
    case .closedEarly: "\(server) closed the connection before the end of “\(url)”; try again."
    case .tooManyRedirects: "\(host) redirects “\(url)” in a loop or more than 20 times; report this to the station."
    case .badRedirect: "\(host) redirects “\(url)” to an invalid address; report this to the station."
    case .signIn:
      "This network wants you to sign in before it leads to \(host); open its page on another device in this network."
    case .outOfReach(let range):
      "“\(url)” leads to \(range.words); only what you enter yourself may do so: enter that address if you trust it."
    case .refusedPort(let port):
      "“\(url)” leads to port \(port), where no station listens; if one does, enter its address yourself."
    case .onlyLists: "“\(url)” leads only to more lists; ask the station for the address of its stream."
    case .compressed: "\(host) sends “\(url)” compressed, which no radio asks for; report this to the station."
    case .badAnswer: "\(server) does not answer as a web server or a station does; check the port."
    case .cancelled: "The connection to \(host) was cancelled."
    case .localFile(let errno): Self.fileSentence(errno, path ?? url)
    case .outOfMemory: "No memory is left to fetch “\(url)”; close other programs."
    case .internal(let code): "Fetching “\(url)” failed inside libcurl (code \(code)); please report it."
    }
  }

  private static func fileSentence(_ errno: Int32, _ path: String) -> String {
    let path = String(String.UnicodeScalarView(path.unicodeScalars.filter { !$0.isUnshowable }))
    return switch errno {
    case ENOENT, ENOTDIR: "There is no file \(path); check the path."
    case EACCES, EPERM: "The file \(path) is not readable; change its permissions."
    case EISDIR: "\(path) is a folder; name a file in it."
    case EINVAL: "\(path) is not a regular file; name one."
    default: "The file \(path) cannot be read (\(errnoText(errno, isCapitalized: true))); check the disk."
    }
  }
}

extension NetworkError.TLSFault {
  fileprivate func sentence(_ host: String) -> String {
    switch self {
    case .expired: "The certificate of \(host) has expired; check this computer's clock, or report this to the station."
    case .notYetValid: "The certificate of \(host) is not valid yet; check this computer's clock."
    case .unknownIssuer:
      "No trusted authority has signed the certificate of \(host); name its issuer in SSL_CERT_FILE if you trust it."
    case .wrongHost:
      "The certificate shown by \(host) is for another host; check the address, or report this to the station."
    case .noTrustStore: "The trusted certificates cannot be read for \(host); install ca-certificates."
    case .badCertificate: "The certificate of \(host) is not acceptable; report this to the station."
    case .handshake: "No secure connection to \(host) could be made; check if its address begins with http instead."
    }
  }
}
