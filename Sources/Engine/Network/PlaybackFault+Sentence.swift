import Framing
import Glibc
import System
import Units

extension PlaybackFault {
  /// One sentence for the listener: event, object and remedy, without passwords, queries and control characters.
  public var sentence: String {
    let host = location?.host ?? "The station"
    return switch detail {
    case .error(let error): sentence(of: error)
    case .networkChanged: "The network has changed."
    case .silence(let seconds): "\(host) sent nothing for \(seconds) s."
    case .stillList(let seconds): "The list of the station at \(host) has had no new sound for \(seconds) s."
    case .slept: "The connection to \(host) is from before the machine slept."
    case .closed: "\(host) closed the connection."
    case .refused(let hasCredentials): refusal(by: host, hasCredentials)
    case .refusedPart:
      "The list of the station names \(url), which \(host) does not send (\(status)); tell the station."
    case .noAudio: "\(url) holds no sound that Bakelite knows; check the address of the station."
    case .undecodable: "Nothing that \(url) sends can be decoded: it may be encrypted; try another station."
    case .notPlayed(let kind): "\(url): \(kind.sentence)."
    case .fewBlocks(let needed):
      "\(url) has packets too long for the buffer; give it \(needed) blocks or more ([buffer] blocks, or "
        + "--buffer-blocks)."
    case .feedInFeed: "The episode \(url) is no sound but a podcast again; tell the podcast."
    case .slowList: "The playlist \(url), or what it names, comes too slowly; try again later."
    case .endlessList: "The playlist \(url) does not come to an end; check its address."
    case .emptyList: "The playlist \(url) names no station that can be played; check its address."
    case .emptyFeed: "The podcast \(url) has no episode that can be played; check its address."
    case .fileChanged: "\(url) has changed since it began to play; play it again."
    case .otherPart: "\(host) sent another part of the file than was asked for."
    }
  }

  private func refusal(by host: String, _ hasCredentials: Bool) -> String {
    switch status {
    case 401 where hasCredentials:
      "\(host) does not take the name and the password that it was given for this station (401); check them."
    case 401, 407:
      "\(host) wants a name and a password for this station (\(status)); give them with --user, or as its user in "
        + "stations.toml."
    case 403: "\(host) does not let you listen to this station (403); ask the station."
    case 404, 410: "\(host) has no station at \(url) (\(status)); check the address."
    case 500...: "\(host) cannot serve the station now (\(status)); try again later."
    default: "\(host) refuses the station (\(status)); check the address."
    }
  }

  private func sentence(of error: NetworkError) -> String {
    let host = location?.host ?? url
    let server = location.map { "\($0.host), port \($0.port)," } ?? url
    return switch error {
    case .badURL: "“\(url)” is no address; write it like http://radio.example:8000/live."
    case .badScheme(let scheme):
      "Bakelite speaks http and https, but “\(url)” leads to “\(scheme)”; look for another address of the station."
    case .badHeader: "A header to send to \(host) is not “Name: value” on one line; mend it in the settings."
    case .hostNotFound: "The host \(host) does not exist; check the spelling of the address or the name server."
    case .nameServer: "No name server answers to say where \(host) is; check the router or the name server."
    case .noNetwork: "There is no network to reach \(host); check the cable or the wireless connection."
    case .unreachable: "No way leads to \(host) from this network; check the router or a firewall."
    case .refused: "\(server) refuses connections; check the port, or wait until the station is back."
    case .connectTimeout: "\(server) does not answer; check the address, or wait until the station is back."
    case .proxyFailed: "The proxy on the way to \(host) does not work; check http_proxy and https_proxy."
    case .tls(let fault): fault.sentence(host)
    case .reset: "\(server) broke the connection; try again."
    case .closedEarly: "\(server) closed the connection before the end of “\(url)”; try again."
    case .tooManyRedirects: "\(host) redirects more than ten times from “\(url)”; tell the station."
    case .badRedirect: "\(host) redirects “\(url)” to no address at all; tell the station."
    case .outOfReach(let range):
      "“\(url)” leads to \(range.words); only what you enter yourself may do so: enter that address if you trust it."
    case .refusedPort(let port):
      "“\(url)” leads to port \(port), where no station listens; if one does, enter its address yourself."
    case .onlyLists: "“\(url)” leads only to more lists; ask the station for the address of its stream."
    case .compressed: "\(host) sends “\(url)” compressed, which no radio asks for; tell the station."
    case .badAnswer: "\(server) does not answer as a web server or a station does; check the port."
    case .cancelled: "The connection to \(host) was called off."
    case .localFile(let errno): Self.fileSentence(errno, location?.path ?? url)
    case .outOfMemory: "No memory is left to fetch “\(url)”; close other programs."
    case .internal(let code): "Fetching “\(url)” failed inside libcurl (code \(code)); please report it."
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

extension NetworkError {
  /// One sentence for the listener: event, object and remedy, without passwords, queries and control characters.
  ///
  /// - Parameter url: The requested address as typed.
  public func sentence(for url: StationAddress) -> String { PlaybackFault(self, of: url).sentence }
}
