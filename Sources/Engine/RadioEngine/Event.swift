import Framing
import Network
import Rendering
import Units

/// Something that happened to the radio (R5): what the listener's program or screen may want to know.
///
/// Later versions may have more events: a `switch` of another package needs `@unknown default`, which a compiler before
/// Swift 6.2.3 does not ask for.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum Event: Equatable, Sendable {
  /// A connection is being made.
  case connecting(url: String)
  /// A connection stands; sound begins when `target` seconds are held.
  case buffering(held: Double, target: Double)
  /// Sound begins: `latency` seconds after the order, `behindLive` seconds behind what the station sends.
  case playing(station: String?, latency: Double, behindLive: Double?)
  /// The radio stopped, and why.
  case stopped(StopReason)
  /// The sound paused, or stays so, and why.
  case paused(StopReason)
  /// The listener went to `position`, having asked for `requested`: seconds of the programme's own time.
  case seekDone(position: Double, requested: Double)
  /// What the station is.
  case stationInfo(StationInfo)
  /// A title came.
  case metadataReceived(Title)
  /// A title is heard from now on, `at` seconds of the programme's own time.
  case metadataChanged(Title, at: Double)
  /// The connection is lost; the next try comes in `delay` seconds.
  case reconnecting(attempt: Int, delay: Double, reason: String, held: Double)
  /// A new connection was joined to what was held: `overlap` seconds came again and were dropped, `lost` are missing.
  case stitched(overlap: Double, lost: Double, exact: Bool, estimated: Bool)
  /// A period came too late; the count of all so far.
  case underrun(held: Double, count: Int)
  /// All that was held is played.
  case queueExhausted(held: Double, count: Int)
  /// The server answered with an error.
  case httpError(code: Int, url: String)
  /// There is nothing at the address.
  case missingContent(url: String, message: String)
  /// What is there cannot be played.
  case badContent(url: String, message: String)
  /// The address leads nowhere, or a playlist to nothing.
  case urlNotFound(url: String, message: String)
  /// Nothing answers, or data stopped.
  case timeoutExceeded(url: String, message: String)
  /// There is no network.
  case noNetwork(url: String, message: String)
  /// The server gives no parts of a file, so a place in its midst takes as long as reading all before it.
  case readThrough(url: String, message: String)
  /// The next of a list is heard from now on, or is asked for: the `index`th of `count`, from 1.
  case itemBegan(index: Int, count: Int, title: String?, url: String)
  /// What was to follow on a file (`Radio.follower`) is heard from now on.
  case followed(url: String)
  /// A file was heard to its end.
  case fileComplete(heard: Double)
  /// A recording ended with so many bytes, and why; nil where somebody asked for it.
  case recordingStopped(path: String, bytes: Int, error: String?)
  /// A song that was to be kept is complete, or why it is not.
  case songKept(KeptSong, bytes: Int, error: String?)
  /// The taps are given sound of this format from now on.
  case tapCreated(TapFormat)
  /// They are given no more of it.
  case tapDisposed(TapFormat)
  /// The sound is about to be suspended: somebody else needs the device, or it is gone, or the machine slept.
  case willSuspend
  /// It is, and another program may have the device; the buffer goes on filling.
  case suspended
  /// The suspension is over: what played goes on, what was paused stays so.
  case resumed
  /// The sound device is gone, or in use by another program.
  case deviceLost(device: String, message: String)
  /// It is there again.
  case deviceBack(device: String, message: String)
  /// Sound was held that nobody had paused, and was not heard for 5 s: it is played now. What each thread waited for.
  case rescued(held: Double, waits: ThreadWaits)
  /// The last event of a run.
  case summary(Summary)

  /// Why a radio stopped or paused.
  public enum StopReason: String, Sendable {
    case user, timeout, interruption, end, error
  }
}

/// A title as the station sent it.
public struct Title: Equatable, Sendable {
  /// The whole.
  public var text: String
  /// What belongs to it on the web.
  public var url: String?
  /// The part before the dash.
  public var artist: String?
  /// The part after it.
  public var track: String
}

extension Title {
  /// "Artist - Title", taken apart.
  init(_ text: String, url: String?) {
    (artist, track) = TrackTitle.split(text)
    (self.text, self.url) = (text, url)
  }

  /// What was told apart, put together; what was not, taken apart.
  init(_ title: ExternalTitle) {
    guard let artist = title.artist else {
      self.init(title.track, url: title.url)
      return
    }
    self.init(text: "\(artist) - \(title.track)", url: title.url, artist: artist, track: title.track)
  }
}

/// A station as it told about itself and as it was measured.
public struct StationInfo: Equatable, Sendable {
  /// What the server told.
  public var facts: StationFacts
  /// Such as "MP3".
  public var codec: String
  /// kbit/s as told, else as measured.
  public var bitRate: Int?
  /// Frames per second, as decoded.
  public var sampleRate: Int
  /// Channels, as decoded.
  public var channels: Int
}

/// A run in figures.
public struct Summary: Equatable, Sendable {
  /// Seconds of programme heard.
  public var heard = 0.0
  /// Periods that came too late.
  public var underruns = 0
  /// Times that the card ran dry.
  public var xruns = 0
  /// New connections to live stations, each joined to what was held.
  public var stitches = 0
  /// New connections that took over from a lost one, to live stations and to files. Tries that failed do not count, nor
  /// do second connections that were given up.
  public var reconnects = 0
  /// Times that held sound had to be made heard.
  public var rescues = 0
  /// Seconds of programme known to be lost.
  public var lost = 0.0
  /// Bytes of audio received.
  public var bytes = 0
  /// Titles heard.
  public var titles = 0
  /// The most anonymous memory seen, in KiB.
  public var rssAnonPeak = 0

  /// A run of which nothing was heard yet.
  public init() {}

  /// Adds what a radio did that was made after this one.
  public mutating func add(_ next: Summary) {
    heard += next.heard
    underruns += next.underruns
    xruns += next.xruns
    stitches += next.stitches
    reconnects += next.reconnects
    rescues += next.rescues
    lost += next.lost
    bytes += next.bytes
    titles += next.titles
    rssAnonPeak = max(rssAnonPeak, next.rssAnonPeak)
  }
}
