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
    for (name, value) in members { value.append(to: &line, as: name) }
    return line.line
  }

  private var members: KeyValuePairs<String, any JsonMember> {
    switch self {
    case .connecting(let url), .followed(let url): ["url": url]
    case .buffering(let held, let target): ["held": held, "target": target]
    case .playing(let station, let latency, let behind):
      ["station": station, "latency": latency, "behindLive": behind]
    case .stopped(let reason), .paused(let reason): ["reason": reason.rawValue]
    case .seekDone(let position, let requested): ["position": position, "requested": requested]
    case .stationInfo(let info): info.members
    case .metadataReceived(let title): title.members
    case .metadataChanged(let title, let at):
      ["title": title.text, "url": title.url, "artist": title.artist, "track": title.track, "at": at]
    case .reconnecting(let attempt, let delay, let reason, let held):
      ["attempt": attempt, "delay": delay, "reason": reason, "held": held]
    case .stitched(let overlap, let lost, let exact, let estimated):
      ["overlap": overlap, "lost": lost, "exact": exact, "estimated": estimated]
    case .underrun(let held, let count), .queueExhausted(let held, let count): ["held": held, "count": count]
    case .httpError(let code, let url): ["code": code, "url": url]
    case .missingContent(let url, let message), .badContent(let url, let message), .urlNotFound(let url, let message),
      .timeoutExceeded(let url, let message), .noNetwork(let url, let message), .readThrough(let url, let message):
      ["url": url, "message": message]
    case .itemBegan(let index, let count, let title, let url):
      ["index": index, "count": count, "title": title, "url": url]
    case .fileComplete(let heard): ["heard": heard]
    case .recordingStopped(let path, let bytes, let error): ["path": path, "bytes": bytes, "error": error]
    case .songKept(let song, let bytes, let error):
      [
        "title": song.title.text, "url": song.title.url, "artist": song.title.artist, "track": song.title.track,
        "path": song.path, "bytes": bytes, "missing": song.missing, "error": error,
      ]
    case .tapCreated(let format), .tapDisposed(let format):
      ["sampleRate": Int(format.rate.hertz), "channels": format.channels, "maxFrames": format.maxFrames]
    case .willSuspend, .suspended, .resumed: [:]
    case .deviceLost(let device, let message), .deviceBack(let device, let message):
      ["device": device, "message": message]
    case .rescued(let held, let waits): ["held": held, "states": waits.description]
    case .summary(let summary): summary.members
    }
  }
}

extension Title {
  fileprivate var members: KeyValuePairs<String, any JsonMember> {
    ["title": text, "url": url, "artist": artist, "track": track]
  }
}

extension StationInfo {
  fileprivate var members: KeyValuePairs<String, any JsonMember> {
    [
      "name": facts.name, "genre": facts.genre, "url": facts.homePage ?? facts.url, "contentType": facts.contentType,
      "codec": codec, "bitRate": bitRate, "sampleRate": sampleRate, "channels": channels, "metaint": facts.metaint,
      "live": facts.isLive, "container": facts.container?.name, "variant": facts.segments?.variant?.text,
      "targetDuration": facts.segments?.targetDuration.seconds, "window": facts.segments?.window.seconds,
    ]
  }
}

extension Summary {
  fileprivate var members: KeyValuePairs<String, any JsonMember> {
    [
      "heard": heard, "underruns": underruns, "xruns": xruns, "stitches": stitches, "reconnects": reconnects,
      "rescues": rescues, "lost": lost, "bytes": bytes, "titles": titles, "rssAnonPeak": rssAnonPeak,
    ]
  }
}
