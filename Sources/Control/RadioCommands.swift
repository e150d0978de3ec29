import Network
import Radio

/// What clients ask of a radio, and what it answers.
public struct RadioCommands {
  private let radio: Radio
  /// What a number, a name or an address means; nil where it means nothing.
  private let station: (String) -> StationRequest?
  private let version: String

  /// Commands for `radio`.
  public init(_ radio: Radio, version: String, station: @escaping (String) -> StationRequest?) {
    self.radio = radio
    self.station = station
    self.version = version
  }

  /// Carries out one command.
  public func answer(_ request: ControlRequest) -> ControlAnswer {
    let arguments = request.arguments
    switch request.name {
    case "radio_status": return arguments.isEmpty ? status : Self.tooMany
    case "play": return play(arguments)
    case "pause": return pause(arguments)
    case "stop": return simple(arguments) { radio.stop() }
    case "radio_rewind": return shift(arguments) { radio.rewind(by: $0) }
    case "radio_forward": return shift(arguments) { radio.forward(by: $0) }
    case "radio_live": return simple(arguments) { radio.goLive() }
    case "radio_oldest": return simple(arguments) { radio.goOldest() }
    case "radio_tune": return tune(arguments)
    default: return .refused(.unknownCommand, "unknown command")
    }
  }

  private static let tooMany = ControlAnswer.refused(.wrongArguments, "wrong number of arguments")

  private func simple(_ arguments: [String], _ work: () -> Void) -> ControlAnswer {
    guard arguments.isEmpty else { return Self.tooMany }
    work()
    return .done
  }

  private func play(_ arguments: [String]) -> ControlAnswer {
    guard arguments.count <= 1 else { return Self.tooMany }
    if let place = arguments.first { return tune([place]) }
    return radio.state == .playing || radio.play()
      ? .done : .refused(.nothingThere, "There is nothing to play; tune first.")
  }

  private func pause(_ arguments: [String]) -> ControlAnswer {
    switch arguments {
    case ["1"]: radio.pause()
    case ["0"]: radio.resume()
    case []: if radio.state == .paused { radio.resume() } else { radio.pause() }
    default: return .refused(.wrongArguments, "pause takes 1, 0 or nothing")
    }
    return .done
  }

  private func shift(_ arguments: [String], _ go: (Double) -> Void) -> ControlAnswer {
    guard arguments.count == 1 else { return Self.tooMany }
    guard let seconds = Double(arguments[0]), (0...1e9).contains(seconds) else {
      return .refused(.wrongArguments, "Seconds are a number from 0 up.")
    }
    guard radio.state != .stopped else { return .refused(.nothingThere, "Nothing is played.") }
    go(seconds)
    return .done
  }

  private func tune(_ arguments: [String]) -> ControlAnswer {
    guard arguments.count == 1 else { return Self.tooMany }
    guard let request = station(arguments[0]) else {
      return .refused(.nothingThere, "There is no such station; give its number or its address.")
    }
    radio.tune(request)
    return .done
  }

  /// Everything, a line each; what is not known is left out.
  private var status: ControlAnswer {
    let status = radio.status
    var answer = ControlAnswer()
    answer.add("state", status.state.rawValue)
    answer.add("audible", status.isAudioPlaying)
    answer.add("station", status.station.isEmpty ? nil : status.station)
    answer.add("title", status.title?.track)
    answer.add("artist", status.title?.artist)
    answer.add(seconds: "timeshift", status.timeShift)
    answer.add(seconds: "held", status.held)
    answer.add(seconds: "capacity", status.capacity)
    answer.add("blocks_used", status.blocks.usedCount)
    answer.add("blocks_total", status.blocks.blockCount)
    answer.add("block_playing", status.blocks.playing)
    answer.add(seconds: "behind_live", status.facts?.isLive == true ? status.held : nil)
    answer.add("bitrate", status.measuredBitRate.map { ($0.bitsPerSecond + 500) / 1_000 })
    answer.add("codec", status.codec)
    answer.add("reconnect_attempt", status.attempt)
    answer.add("network", Self.word(status))
    answer.add("underruns", status.underruns)
    answer.add("xruns", status.xruns)
    answer.add(seconds: "lost", status.lost)
    answer.add("rss_anon", radio.residentKibibytes)
    answer.add(seconds: "position", status.position)
    answer.add("byte_offset", status.byteOffset)
    answer.add("seekable", status.facts?.isSeekable == true)
    answer.add("genre", status.facts?.genre)
    answer.add("told_bitrate", status.facts?.toldBitRate.map { ($0 + 500) / 1_000 })
    answer.add("stream_url", status.facts?.url)
    answer.add("meta_url", status.title?.url)
    answer.add("version", version)
    return answer
  }

  private static func word(_ status: RadioStatus) -> String {
    if status.state == .stopped { return "off" }
    return status.isResting
      ? "resting" : status.attempt > 0 ? "reconnecting" : status.facts == nil ? "connecting" : "connected"
  }
}
