import Glibc
import System
import Units

extension NetworkError {
  /// One sentence for a person: what happened, to what, and the way out; never a password, a query or a control
  /// character.
  ///
  /// - Parameter url: What was asked for, as it was typed.
  public func sentence(for url: StationAddress) -> String {
    let address = try? WebAddress(url, allowsFile: true)
    let shown = (address?.url ?? url).description
    let host = address?.host ?? shown
    let place = address.map { "\($0.host), port \($0.port)," } ?? shown
    return switch self {
    case .badURL: "“\(shown)” is no address; write it like http://radio.example:8000/live."
    case .badScheme(let scheme):
      "Bakelite speaks http and https, but “\(shown)” leads to “\(scheme)”; look for another address of the station."
    case .badHeader: "A header to send to \(host) is not “Name: value” on one line; mend it in the settings."
    case .hostNotFound: "The host \(host) does not exist; check the spelling of the address or the name server."
    case .nameServer: "No name server answers to say where \(host) is; check the router or the name server."
    case .noNetwork: "There is no network to reach \(host); check the cable or the wireless connection."
    case .unreachable: "No way leads to \(host) from this network; check the router or a firewall."
    case .refused: "\(place) refuses connections; check the port, or wait until the station is back."
    case .connectTimeout: "\(place) does not answer; check the address, or wait until the station is back."
    case .proxyFailed: "The proxy on the way to \(host) does not work; check http_proxy and https_proxy."
    case .tls(let fault): fault.sentence(host)
    case .reset: "\(place) broke the connection; try again."
    case .closedEarly: "\(place) closed the connection before the end of “\(shown)”; try again."
    case .tooManyRedirects: "\(host) redirects more than ten times from “\(shown)”; tell the station."
    case .badRedirect: "\(host) redirects “\(shown)” to no address at all; tell the station."
    case .outOfReach(let range):
      "“\(shown)” leads to \(range.words); only what you enter yourself may do so: enter that address if you trust it."
    case .refusedPort(let port):
      "“\(shown)” leads to port \(port), where no station listens; if one does, enter its address yourself."
    case .onlyLists: "“\(shown)” leads only to more lists; ask the station for the address of its stream."
    case .compressed: "\(host) sends “\(shown)” compressed, which no radio asks for; tell the station."
    case .badAnswer: "\(place) does not answer as a web server or a station does; check the port."
    case .cancelled: "The connection to \(host) was called off."
    case .localFile(let errno): Self.fileSentence(errno, address?.filePath ?? shown)
    case .outOfMemory: "No memory is left to fetch “\(shown)”; close other programs."
    case .internal(let code): "Fetching “\(shown)” failed inside libcurl (code \(code)); please report it."
    }
  }

  private static func fileSentence(_ errno: Int32, _ path: String) -> String {
    let path = String(String.UnicodeScalarView(path.unicodeScalars.filter { !$0.isUnshowable }))
    return switch errno {
    case ENOENT, ENOTDIR: "There is no file \(path); check the path."
    case EACCES, EPERM: "The file \(path) may not be read; change its permissions."
    case EISDIR: "\(path) is a folder; name a file in it."
    case EINVAL: "\(path) is no ordinary file; name one."
    default: "The file \(path) cannot be read (\(errnoText(errno, isCapitalized: true))); check the disk."
    }
  }
}

extension NetworkError.TLSFault {
  fileprivate func sentence(_ host: String) -> String {
    switch self {
    case .expired: "The certificate of \(host) has expired; check this computer's clock, or tell the station."
    case .notYetValid: "The certificate of \(host) is not valid yet; check this computer's clock."
    case .unknownIssuer:
      "Nobody trusted has signed the certificate of \(host); name its issuer in SSL_CERT_FILE if you trust it."
    case .wrongHost: "The certificate shown by \(host) is for another host; check the address, or tell the station."
    case .noTrustStore: "The trusted certificates cannot be read for \(host); install ca-certificates."
    case .badCertificate: "The certificate of \(host) is not acceptable; tell the station."
    case .handshake: "No secure connection to \(host) came about; check whether its address begins with http instead."
    }
  }
}
