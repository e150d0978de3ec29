import Framing
import Recordings

extension Event {
  /// The event's name in JSON.
  public var name: String {
    switch self {
    case .connecting: "connecting"
    case .buffering: "buffering"
    case .playing: "playing"
    case .stopped: "stopped"
    case .paused: "paused"
    case .seekDone: "seekDone"
    case .stationInfo: "stationInfo"
    case .metadataReceived: "metadataReceived"
    case .metadataChanged: "metadataChanged"
    case .reconnecting: "reconnecting"
    case .stitched: "stitched"
    case .underrun: "underrun"
    case .queueExhausted: "queueExhausted"
    case .httpError: "httpError"
    case .missingContent: "missingContent"
    case .badContent: "badContent"
    case .urlNotFound: "urlNotFound"
    case .timeoutExceeded: "timeoutExceeded"
    case .noNetwork: "noNetwork"
    case .readThrough: "readThrough"
    case .itemBegan: "itemBegan"
    case .followed: "followed"
    case .fileComplete: "fileComplete"
    case .recordingStopped: "recordingStopped"
    case .songKept: "songKept"
    case .tapCreated: "tapCreated"
    case .tapDisposed: "tapDisposed"
    case .willSuspend: "willSuspend"
    case .suspended: "suspended"
    case .resumed: "resumed"
    case .deviceLost: "deviceLost"
    case .deviceBack: "deviceBack"
    case .rescued: "rescued"
    case .summary: "summary"
    }
  }

  /// Returns the event as one line of JSON; `time` is in seconds since the start.
  public func json(at time: Double) -> String {
    var line = JsonLine()
    line.add("t", time)
    line.add("event", name)
    addMembers(to: &line)
    return line.line
  }

  private func addMembers(to line: inout JsonLine) {
    switch self {
    case .connecting(let url): line.add("url", url)
    case .buffering(let held, let target):
      line.add("held", held)
      line.add("target", target)
    case .playing(let station, let latency, let behind):
      line.add("station", station)
      line.add("latency", latency)
      line.add("behindLive", behind)
    case .stopped(let reason), .paused(let reason): line.add("reason", reason.rawValue)
    case .seekDone(let position, let requested):
      line.add("position", position)
      line.add("requested", requested)
    case .stationInfo(let info): Self.add(info, to: &line)
    case .metadataReceived(let title): Self.add(title, to: &line)
    case .metadataChanged(let title, let at):
      Self.add(title, to: &line)
      line.add("at", at)
    case .reconnecting(let attempt, let delay, let reason, let held):
      line.add("attempt", attempt)
      line.add("delay", delay)
      line.add("reason", reason)
      line.add("held", held)
    case .stitched(let overlap, let lost, let exact, let estimated):
      line.add("overlap", overlap)
      line.add("lost", lost)
      line.add("exact", exact)
      line.add("estimated", estimated)
    case .underrun(let held, let count), .queueExhausted(let held, let count):
      line.add("held", held)
      line.add("count", count)
    case .httpError(let code, let url):
      line.add("code", code)
      line.add("url", url)
    case .missingContent(let url, let message), .badContent(let url, let message), .urlNotFound(let url, let message),
      .timeoutExceeded(let url, let message), .noNetwork(let url, let message),
      .readThrough(let url, let message):
      line.add("url", url)
      line.add("message", message)
    case .itemBegan(let index, let count, let title, let url):
      line.add("index", index)
      line.add("count", count)
      line.add("title", title)
      line.add("url", url)
    case .followed(let url): line.add("url", url)
    case .fileComplete(let heard): line.add("heard", heard)
    case .recordingStopped, .songKept: addRecorded(to: &line)
    case .tapCreated(let format), .tapDisposed(let format):
      line.add("sampleRate", Int(format.rate.hertz))
      line.add("channels", format.channels)
      line.add("maxFrames", format.maxFrames)
    case .willSuspend, .suspended, .resumed: break
    case .deviceLost(let device, let message), .deviceBack(let device, let message):
      line.add("device", device)
      line.add("message", message)
    case .rescued(let held, let waits): Self.add(held, waits, to: &line)
    case .summary(let summary): Self.add(summary, to: &line)
    }
  }

  private func addRecorded(to line: inout JsonLine) {
    switch self {
    case .recordingStopped(let path, let bytes, let error):
      line.add("path", path)
      line.add("bytes", bytes)
      line.add("error", error)
    case .songKept(let song, let bytes, let error):
      Self.add(song.title, to: &line)
      line.add("path", song.path)
      line.add("bytes", bytes)
      line.add("missing", song.missing)
      line.add("error", error)
    default: break
    }
  }

  private static func add(_ held: Double, _ waits: ThreadWaits, to line: inout JsonLine) {
    line.add("held", held)
    line.add("states", waits.description)
  }

  private static func add(_ title: Title, to line: inout JsonLine) {
    line.add("title", title.text)
    line.add("url", title.url)
    line.add("artist", title.artist)
    line.add("track", title.track)
  }

  private static func add(_ info: StationInfo, to line: inout JsonLine) {
    line.add("name", info.facts.name)
    line.add("genre", info.facts.genre)
    line.add("url", info.facts.homePage ?? info.facts.url)
    line.add("contentType", info.facts.contentType)
    line.add("codec", info.codec)
    line.add("bitRate", info.bitRate)
    line.add("sampleRate", info.sampleRate)
    line.add("channels", info.channels)
    line.add("metaint", info.facts.metaint)
    line.add("live", info.facts.isLive)
    line.add("container", info.facts.container?.name)
    line.add("variant", info.facts.segments?.variant?.text)
    line.add("targetDuration", info.facts.segments?.targetDuration.seconds)
    line.add("window", info.facts.segments?.window.seconds)
  }

  private static func add(_ summary: Summary, to line: inout JsonLine) {
    line.add("heard", summary.heard)
    line.add("underruns", summary.underruns)
    line.add("xruns", summary.xruns)
    line.add("stitches", summary.stitches)
    line.add("reconnects", summary.reconnects)
    line.add("rescues", summary.rescues)
    line.add("lost", summary.lost)
    line.add("bytes", summary.bytes)
    line.add("titles", summary.titles)
    line.add("rssAnonPeak", summary.rssAnonPeak)
  }
}
