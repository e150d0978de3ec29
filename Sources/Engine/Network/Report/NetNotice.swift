import Framing
import Http
import System
import Units

/// A message from the net thread to the control thread about one programme.
public enum NetNotice: Equatable, Sendable {
  case connecting(url: String)
  /// Audio arrives; with the server's facts.
  case connected(StationFacts)
  /// An interrupted file delivers audio again.
  case resumed
  /// A list was opened.
  case listed(FileList)
  /// The file set by `NetThread.follow` starts at this place.
  case followed(StationFacts, at: FilePlace, token: Int)
  /// Counted packets show that playback is further into the last file than assumed, by this duration.
  case placed(by: StreamTime)
  case length(StreamTime)
  /// The server does not support ranges: the file is read from its start up to the requested position.
  case readThrough(url: String, host: String?)
  /// The part of an HLS station that is available now.
  case window(ProgrammeWindow)
  /// `isWhole`: true if the text is not split into artist and track.
  case title(text: String, url: String?, isWhole: Bool = false, at: StreamTime)
  /// An ad of the station begins or ends.
  case ad(AdMark, at: StreamTime)
  /// A title from an external feed, for the audio at `at`, which may not have arrived yet.
  case externalTitle(ExternalTitle, at: StreamTime)
  /// The connection of a programme that has played is lost; retries follow.
  case lost
  /// The next try follows after `delay`, since the connection is lost or silent.
  case reconnecting(attempt: Int, delay: Duration, reason: PlaybackFault)
  case stitched(Stitch)
  /// The address from which a second connection delivers; nil if none does.
  case second(url: String?)
  /// The source changed to a lower bit rate because the line is too slow; nil after the return to the better source.
  case lowerRate(LowerRate?)
  /// `isFinal`: true if the station is given up.
  case fault(PlaybackFault, isFinal: Bool)
  /// The last byte of a file arrived.
  case complete
  /// A live station is paused, since the ring has been full of unplayed audio for 1 s. Repeated every 10 s.
  case full
}

/// The place of a following file within the programme.
public struct FilePlace: Equatable, Sendable {
  /// Programme time of the file's first moment, even if playback starts in the middle of the file.
  public var base: StreamTime
  /// Programme time of the file's first packet. Earlier packets belong to another file.
  public var border: StreamTime
}

/// Facts about a station or a file, from the server's response.
public struct StationFacts: Equatable, Sendable {
  /// The address after redirects, without secrets.
  public var url: String
  /// `icy-name`, or the playlist's title.
  public var name: String?
  /// `icy-genre`.
  public var genre: String?
  /// The station's home page, `icy-url`.
  public var homePage: String?
  /// `Content-Type`.
  public var contentType: String?
  /// `icy-br`, in bit/s.
  public var toldBitRate: Int?
  /// `icy-metaint`.
  public var metaint: Int?
  /// True if treated as a live station.
  public var isLive: Bool
  /// True if a live station may be a file (R1.5): its length is announced, but neither ICY headers nor ranges are.
  public var mayBeFile = false
  /// Size of a file in bytes.
  public var byteCount: Int?
  /// True if a file can be requested from any byte.
  public var isSeekable: Bool
  /// Duration of a file, at first estimated from its first packets.
  public var duration: StreamTime?
  /// Index in the list that was opened last.
  public var item: Int?
  /// Container of the audio; nil if unknown.
  public var container: StreamContainer?
  /// Facts of an HLS station; nil for other sources.
  public var segments: SegmentFacts?

  /// The name to display: `name`, else the file name of a file, else the address.
  public var shownName: String {
    if let name { return name }
    guard !isLive, let address = try? WebAddress(url, allowsFile: true) else { return url }
    let file = DisplayText.clean(address.lastPathComponent)
    return file.isEmpty ? url : file
  }
}

extension NetNotice: Notice {
  /// A station decides how many titles and ads it sends, and `full` is repeated.
  public var kind: Int? {
    switch self {
    case .title: 0
    case .externalTitle: 1
    case .full: 2
    case .window: 3
    case .ad: 4
    case .second: 5
    default: nil
    }
  }

  /// True for a list, which may have megabytes.
  public var replacesOlder: Bool { if case .listed = self { true } else { false } }
}
