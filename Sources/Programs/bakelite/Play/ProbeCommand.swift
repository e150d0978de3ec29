import ArgumentParser
import AudioOutput
import Network
import RadioEngine
import Units

struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Describe an address: kind, codec, sample rate, channels, bit rates and the station's headers.")

  @Argument(
    help: ArgumentHelp("The address of a station, playlist or file; the path of a file.", valueName: "url-or-file"))
  var place: String

  @Flag(help: "Print the answer as one line of JSON.")
  var json = false

  @OptionGroup(title: "Connection")
  var station: StationOptionGroup

  /// Sound to play for the measured bit rate.
  private static let sample = StreamTime(seconds: 2)

  /// Start position that makes the radio search a file for parts before the first sound.
  private static let lateStart = StreamTime(seconds: 1)

  func run() throws {
    var request = try station.request(for: place)
    request.retry = .times(0)
    request.patience = .zero
    let radio = try Interrupts.catchAfter { try Radio(settings, sink) }
    var finding = listen(radio, request)
    if finding.mayBeJoined, let length = length(radio, request) { finding.info?.facts.duration = length }
    finding.byteCount = radio.close().bytes
    if finding.info == nil {
      if let failure = radio.failure { throw bakelite.failure(Outcome(failure), OptionAdvice.sentence(failure)) }
      throw bakelite.failure(.failed, "\(request.url) delivered no audio; check the address.")
    }
    putLine(json ? finding.json : finding.text)
  }

  private var settings: RadioSettings {
    var settings = RadioSettings()
    settings.waitLive = Self.sample
    settings.waitFile = Self.sample
    settings.startPolicy = .fixed
    settings.duration = Self.sample
    return settings
  }

  private var sink: OutputRequest {
    var request = OutputRequest(.null)
    request.isPaced = false
    return request
  }

  private func listen(_ radio: Radio, _ request: StationRequest) -> ProbeFinding {
    var finding = ProbeFinding()
    var began: Double?
    radio.onEvent = { event, time in
      switch event {
      case .buffering: began = began ?? time
      case .stationInfo(let info): finding.info = info
      case .stopped: finding.took = began.map { time - $0 } ?? 0
      case .metadataReceived(let title): finding.title = title
      default: break
      }
    }
    radio.tune(request)
    while radio.state != .stopped, !Interrupts.isAsked {
      radio.step(Duration(milliseconds: 100))
      finding.measured = radio.status.measuredBitRate ?? finding.measured
    }
    return finding
  }

  /// Returns the length of an MP3 file in seconds after the search for its parts; nil on failure. A late start waits
  /// for the search before the first sound.
  private func length(_ radio: Radio, _ request: StationRequest) -> StreamTime? {
    var request = request
    request.start = Self.lateStart
    var length: StreamTime?
    radio.onEvent = { event, _ in
      guard case .stationInfo(let info) = event else { return }
      length = info.facts.duration
      radio.stop()
    }
    radio.tune(request)
    while radio.state != .stopped, !Interrupts.isAsked { radio.step(Duration(milliseconds: 100)) }
    return length
  }
}
