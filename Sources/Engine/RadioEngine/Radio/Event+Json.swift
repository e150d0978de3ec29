import Framing
import Recordings
import Rendering

extension Event {
  /// The event's name in JSON.
  public var name: String { parts.name }

  /// Returns the event as one line of JSON; `time` is in seconds since the start.
  public func json(at time: Double) -> String {
    let (name, members) = parts
    var line: JsonLine = ["t": time, "event": name]
    line.add(members)
    return line.line
  }

  private var parts: (name: String, members: KeyValuePairs<String, any JsonMember>) {
    switch self {
    case .connecting(let url): ("connecting", ["url": url])
    case .followed(let url): ("followed", ["url": url])
    case .buffering(let held, let target): ("buffering", ["held": held, "target": target])
    case .playing(let station, let latency, let behind):
      ("playing", ["station": station, "latency": latency, "behindLive": behind])
    case .stopped(let reason): ("stopped", ["reason": reason.rawValue])
    case .paused(let reason): ("paused", ["reason": reason.rawValue])
    case .seekDone(let position, let requested): ("seekDone", ["position": position, "requested": requested])
    case .stationInfo(let info): ("stationInfo", info.members)
    case .metadataReceived(let title): ("metadataReceived", title.members)
    case .metadataChanged(let title, let at):
      (
        "metadataChanged",
        ["title": title.text, "url": title.url, "artist": title.artist, "track": title.track, "at": at]
      )
    case .adBreak(let isBeginning, let kind, let length):
      ("adBreak", ["state": isBeginning ? "begin" : "end", "kind": kind.rawValue, "length": length])
    case .reconnecting(let attempt, let delay, let reason, let held):
      ("reconnecting", ["attempt": attempt, "delay": delay, "reason": reason, "held": held])
    case .stitched(let overlap, let lost, let exact, let estimated):
      ("stitched", ["overlap": overlap, "lost": lost, "exact": exact, "estimated": estimated])
    case .underrun(let held, let count): ("underrun", ["held": held, "count": count])
    case .queueExhausted(let held, let count): ("queueExhausted", ["held": held, "count": count])
    case .httpError(let code, let url): ("httpError", ["code": code, "url": url])
    case .missingContent(let url, let message): ("missingContent", ["url": url, "message": message])
    case .badContent(let url, let message): ("badContent", ["url": url, "message": message])
    case .urlNotFound(let url, let message): ("urlNotFound", ["url": url, "message": message])
    case .timeoutExceeded(let url, let message): ("timeoutExceeded", ["url": url, "message": message])
    case .noNetwork(let url, let message): ("noNetwork", ["url": url, "message": message])
    case .unknownEncoding(let url, let message): ("unknownEncoding", ["url": url, "message": message])
    case .readThrough(let url, let message): ("readThrough", ["url": url, "message": message])
    case .itemBegan(let index, let count, let title, let url):
      ("itemBegan", ["index": index, "count": count, "title": title, "url": url])
    case .fileComplete(let heard): ("fileComplete", ["heard": heard])
    case .recordingStopped(let path, let bytes, let error):
      ("recordingStopped", ["path": path, "bytes": bytes, "error": error])
    case .songKept(let song, let bytes, let error):
      (
        "songKept",
        [
          "title": song.title.text, "url": song.title.url, "artist": song.title.artist, "track": song.title.track,
          "path": song.path, "bytes": bytes, "missing": song.missing, "error": error,
        ]
      )
    case .tapCreated(let format): ("tapCreated", format.members)
    case .tapDisposed(let format): ("tapDisposed", format.members)
    case .willSuspend: ("willSuspend", [:])
    case .suspended: ("suspended", [:])
    case .resumed: ("resumed", [:])
    case .deviceLost(let device, let message): ("deviceLost", ["device": device, "message": message])
    case .deviceBack(let device, let message): ("deviceBack", ["device": device, "message": message])
    case .rescued(let held, let waits): ("rescued", ["held": held, "states": waits.description])
    case .failedOver(let from, let to, let reason, let exact, let lost):
      ("failedOver", ["from": from, "to": to, "reason": reason, "exact": exact, "lost": lost])
    case .cameBack(let to, let exact, let after): ("cameBack", ["to": to, "exact": exact, "after": after])
    case .deadAir(let level, let seconds): ("deadAir", ["level": level, "seconds": seconds])
    case .summary(let summary): ("summary", summary.members)
    }
  }
}

extension TapFormat {
  fileprivate var members: KeyValuePairs<String, any JsonMember> {
    ["sampleRate": Int(rate.hertz), "channels": channels, "maxFrames": maxFrames]
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
