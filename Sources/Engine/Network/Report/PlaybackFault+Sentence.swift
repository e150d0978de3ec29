import Framing
import Http

extension PlaybackFault {
  /// One sentence for the listener: event, object and remedy, without passwords, queries and control characters.
  public var sentence: String {
    let host = location?.host ?? "The station"
    return switch detail {
    case .error(let error):
      error.sentence(url: url, host: location?.host, port: location?.port ?? 0, path: location?.path)
    case .networkChanged: "The network has changed."
    case .silence(let seconds): "\(host) sent nothing for \(seconds) s."
    case .stillList(let seconds): "The list of the station at \(host) has had no new audio for \(seconds) s."
    case .slept: "The connection to \(host) is from before the machine slept."
    case .closed: "\(host) closed the connection."
    case .refused(let hasCredentials): refusal(by: host, hasCredentials)
    case .refusedPart:
      "The list of the station names \(url), but \(host) does not send it (\(status)); report this to the station."
    case .noAudio where isFile: "\(url) has no audio that Bakelite can play; choose another file."
    case .noAudio: "\(url) has no audio that Bakelite can play; check the address of the station."
    case .undecodable where isFile:
      "Nothing in \(url) can be decoded: the file may be damaged or encrypted; try another file."
    case .undecodable: "Nothing that \(url) sends can be decoded: it may be encrypted; try another station."
    case .notPlayed(let kind): "\(url): \(kind.sentence)."
    case .fewBlocks(let needed):
      "\(url) has packets too long for the buffer; make the buffer \(needed) blocks or larger."
    case .feedInFeed: "The episode \(url) is not audio but another podcast; report this to the podcast."
    case .slowList: "The playlist \(url), or a list in it, arrives too slowly; try again later."
    case .endlessList: "The playlist \(url) does not end; check its address."
    case .emptyList: "The playlist \(url) has no playable station; check its address."
    case .emptyFeed: "The podcast \(url) has no playable episode; check its address."
    case .fileChanged: "\(url) has changed since it began to play; play it again."
    case .otherPart: "\(host) sent a part of the file that was not requested."
    }
  }

  private var isFile: Bool { url.hasPrefix("file:") }

  private func refusal(by host: String, _ hasCredentials: Bool) -> String {
    switch status {
    case 401 where hasCredentials:
      "\(host) rejects the name and the password for this station (401); check them."
    case 401, 407:
      "\(host) requires a name and a password for this station (\(status)); set both for this station."
    case 403: "\(host) does not allow you to listen to this station (403); ask the station."
    case 404, 410: "\(host) has nothing at \(url) (\(status)); check the address."
    case 500...: "\(host) cannot serve the station now (\(status)); try again later."
    default: "\(host) refuses the station (\(status)); check the address."
    }
  }
}
