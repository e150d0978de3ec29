extension Event {
  /// The name that clients know it by.
  public var name: String { fields(into: nil).name }

  /// The event as a line of JSON; `time` is seconds since the start.
  public func json(at time: Double) -> String {
    var line = JsonLine()
    line.add("t", time)
    return fields(into: line).line
  }

  /// The event's name, and its members behind those of `line`.
  private func fields(into start: JsonLine?) -> (name: String, line: String) {
    var line = start ?? JsonLine()
    let name: String
    func begin(_ word: String) -> String {
      line.add("event", word)
      return word
    }
    switch self {
    case .connecting(let url):
      name = begin("connecting")
      line.add("url", url)
    case .buffering(let held, let target):
      name = begin("buffering")
      line.add("held", held)
      line.add("target", target)
    case .playing(let station, let latency, let behind):
      name = begin("playing")
      line.add("station", station)
      line.add("latency", latency)
      line.add("behindLive", behind)
    case .stopped(let reason):
      name = begin("stopped")
      line.add("reason", reason.rawValue)
    case .stationInfo(let info):
      name = begin("stationInfo")
      Self.add(info, to: &line)
    case .metadataReceived(let title):
      name = begin("metadataReceived")
      Self.add(title, to: &line)
    case .metadataChanged(let title, let at):
      name = begin("metadataChanged")
      Self.add(title, to: &line)
      line.add("at", at)
    case .reconnecting(let attempt, let delay, let reason, let held):
      name = begin("reconnecting")
      line.add("attempt", attempt)
      line.add("delay", delay)
      line.add("reason", reason)
      line.add("held", held)
    case .stitched(let overlap, let lost, let exact, let estimated):
      name = begin("stitched")
      line.add("overlap", overlap)
      line.add("lost", lost)
      line.add("exact", exact)
      line.add("estimated", estimated)
    case .underrun(let held, let count):
      name = begin("underrun")
      line.add("held", held)
      line.add("count", count)
    case .queueExhausted(let held, let count):
      name = begin("queueExhausted")
      line.add("held", held)
      line.add("count", count)
    case .httpError(let code, let url):
      name = begin("httpError")
      line.add("code", code)
      line.add("url", url)
    case .missingContent(let url, let message):
      name = begin("missingContent")
      Self.add(url, message, to: &line)
    case .badContent(let url, let message):
      name = begin("badContent")
      Self.add(url, message, to: &line)
    case .urlNotFound(let url, let message):
      name = begin("urlNotFound")
      Self.add(url, message, to: &line)
    case .timeoutExceeded(let url, let message):
      name = begin("timeoutExceeded")
      Self.add(url, message, to: &line)
    case .noNetwork(let url, let message):
      name = begin("noNetwork")
      Self.add(url, message, to: &line)
    case .fileComplete(let heard):
      name = begin("fileComplete")
      line.add("heard", heard)
    case .deviceLost(let device, let message):
      name = begin("deviceLost")
      line.add("device", device)
      line.add("message", message)
    case .summary(let summary):
      name = begin("summary")
      Self.add(summary, to: &line)
    }
    return (name, line.line)
  }

  private static func add(_ url: String, _ message: String, to line: inout JsonLine) {
    line.add("url", url)
    line.add("message", message)
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
  }

  private static func add(_ summary: Summary, to line: inout JsonLine) {
    line.add("heard", summary.heard)
    line.add("underruns", summary.underruns)
    line.add("xruns", summary.xruns)
    line.add("stitches", summary.stitches)
    line.add("reconnects", summary.reconnects)
    line.add("lost", summary.lost)
    line.add("bytes", summary.bytes)
    line.add("titles", summary.titles)
    line.add("rssAnonPeak", summary.rssAnonPeak)
  }
}
