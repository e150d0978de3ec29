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
    case .stillList(let seconds): "The list of the station at \(host) has had no new audio for \(seconds) s."
    case .slept: "The connection to \(host) is from before the machine slept."
    case .closed: "\(host) closed the connection."
    case .refused(let hasCredentials): refusal(by: host, hasCredentials)
    case .refusedPart:
      "The list of the station names \(url), but \(host) does not send it (\(status)); report this to the station."
    case .noAudio: "\(url) has no audio that Bakelite can play; check the address of the station."
    case .undecodable: "Nothing that \(url) sends can be decoded: it may be encrypted; try another station."
    case .notPlayed(let kind): "\(url): \(kind.sentence)."
    case .fewBlocks(let needed):
      "\(url) has packets too long for the buffer; give it \(needed) blocks or more ([buffer] blocks, or "
        + "--buffer-blocks)."
    case .feedInFeed: "The episode \(url) is not audio but another podcast; report this to the podcast."
    case .slowList: "The playlist \(url), or a list in it, arrives too slowly; try again later."
    case .endlessList: "The playlist \(url) does not end; check its address."
    case .emptyList: "The playlist \(url) has no playable station; check its address."
    case .emptyFeed: "The podcast \(url) has no playable episode; check its address."
    case .fileChanged: "\(url) has changed since it began to play; play it again."
    case .otherPart: "\(host) sent a part of the file that was not requested."
    }
  }

  private func refusal(by host: String, _ hasCredentials: Bool) -> String {
    switch status {
    case 401 where hasCredentials:
      "\(host) rejects the name and the password for this station (401); check them."
    case 401, 407:
      "\(host) requires a name and a password for this station (\(status)); set them with --user, or as its user in "
        + "stations.toml."
    case 403: "\(host) does not allow you to listen to this station (403); ask the station."
    case 404, 410: "\(host) has no station at \(url) (\(status)); check the address."
    case 500...: "\(host) cannot serve the station now (\(status)); try again later."
    default: "\(host) refuses the station (\(status)); check the address."
    }
  }

  private func sentence(of error: NetworkError) -> String {
    let host = location?.host ?? url
    let server = location.map { "\($0.host), port \($0.port)," } ?? url
    return switch error {
    case .badURL: "“\(url)” is not an address; write it like http://radio.example:8000/live."
    case .badScheme(let scheme):
      "Bakelite speaks http and https, but “\(url)” leads to “\(scheme)”; look for another address of the station."
    case .badHeader: "A header to send to \(host) is not “Name: value” on one line; correct it in the settings."
    case .hostNotFound: "The host \(host) does not exist; check the spelling of the address or the name server."
    case .nameServer: "No name server answers to say where \(host) is; check the router or the name server."
    case .noNetwork: "There is no network to reach \(host); check the cable or the wireless connection."
    case .unreachable: "There is no route to \(host) from this network; check the router or a firewall."
    case .refused: "\(server) refuses connections; check the port, or wait until the station is back."
    case .connectTimeout: "\(server) does not answer; check the address, or wait until the station is back."
    case .proxyFailed: "The proxy on the way to \(host) does not work; check http_proxy and https_proxy."
    case .tls(let fault): fault.sentence(host)
    case .reset: "\(server) broke the connection; try again."
    case .closedEarly: "\(server) closed the connection before the end of “\(url)”; try again."
    case .tooManyRedirects: "\(host) redirects more than ten times from “\(url)”; report this to the station."
    case .badRedirect: "\(host) redirects “\(url)” to an invalid address; report this to the station."
    case .outOfReach(let range):
      "“\(url)” leads to \(range.words); only what you enter yourself may do so: enter that address if you trust it."
    case .refusedPort(let port):
      "“\(url)” leads to port \(port), where no station listens; if one does, enter its address yourself."
    case .onlyLists: "“\(url)” leads only to more lists; ask the station for the address of its stream."
    case .compressed: "\(host) sends “\(url)” compressed, which no radio asks for; report this to the station."
    case .badAnswer: "\(server) does not answer as a web server or a station does; check the port."
    case .cancelled: "The connection to \(host) was cancelled."
    case .localFile(let errno): Self.fileSentence(errno, location?.path ?? url)
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

extension NetworkError {
  /// One sentence for the listener: event, object and remedy, without passwords, queries and control characters.
  ///
  /// - Parameter url: The requested address as typed.
  public func sentence(for url: StationAddress) -> String { PlaybackFault(self, of: url).sentence }
}
