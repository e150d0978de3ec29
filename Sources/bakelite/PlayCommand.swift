import ArgumentParser
import AudioOutput
import Blocks
import Network
import Radio
import Units

/// `bakelite play`: plays stations and files in the foreground, one after the other.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play stations and files in the foreground, one after the other.",
    discussion: """
      A live station plays until Ctrl-C; when its connection is lost it is tried again for as long as it takes. \
      Standard output carries only what is asked for with "-": PCM or events.
      """)

  @Argument(help: ArgumentHelp("Addresses of stations, playlists or files; paths of files.", valueName: "url-or-file"))
  var places: [String]

  @Option(help: "Where sound goes: alsa[:DEVICE], raw:PATH, wav:PATH or null; \"-\" as path is standard output.")
  var output = "alsa:default"

  @Option(help: "The PCM to give the sink, such as s16le/44100/2, s24le/48000/2, s32le/96000/1.")
  var format: String?

  @Option(help: "Whether raw, wav and null take sound in real time (clock) or as fast as it comes (free).")
  var pace = "clock"

  @Option(help: "Stop after so many seconds of sound.")
  var duration: Double?

  @Option(help: "Seconds to hold. The default is 10 for live stations, 3 for files.")
  var bufferWait: Double?

  @Option(help: "adaptive: a live station sounds once 1 s is held; fixed: nothing sounds before the wait time is held.")
  var startPolicy = RadioSettings.StartPolicy.adaptive

  @Option(help: "Blocks of 5,120 bytes for what is held.")
  var bufferBlocks = 1_200

  @Option(help: "Loudness in dB, -60 to 12.")
  var gain = 0.0

  @Option(help: "on: 16-bit sound gets noise against rounding (TPDF); off: PCM is bit-exact.")
  var dither = "off"

  @Option(help: "Match the sink's clock; off: PCM is bit-exact.")
  var drift = "off"

  @Option(help: "Where events go, one line of JSON each: a path, or \"-\" for standard output.")
  var events: String?

  @OptionGroup(title: "Asking the station")
  var station: StationOptionGroup

  func validate() throws {
    guard let request = OutputRequest(output) else {
      throw ValidationError("--output is \"\(output)\", and must be alsa, alsa:DEVICE, raw:PATH, wav:PATH or null.")
    }
    if let format, PcmFormat(format) == nil {
      throw ValidationError(
        "--format is \"\(format)\", and must be s16le, s24le or s32le, a rate and 1 or 2 channels: s16le/44100/2.")
    }
    for (option, value) in [("--pace", pace), ("--dither", dither)] {
      let allowed = option == "--pace" ? ["clock", "free"] : ["on", "off"]
      if !allowed.contains(value) {
        throw ValidationError("\(option) is \"\(value)\", and must be \(allowed.joined(separator: " or ")).")
      }
    }
    guard drift == "off" else {
      throw ValidationError(
        drift == "on"
          ? "--drift on is not built yet; leave it out, or say --drift off."
          : "--drift is \"\(drift)\", and must be on or off.")
    }
    try check("--duration", duration, 0.001...1e9, "seconds")
    try check("--buffer-wait", bufferWait, 0.1...3_600, "seconds")
    try check("--gain", gain, -60...12, "dB")
    guard (BlockPool.fewest...400_000).contains(bufferBlocks) else {
      throw ValidationError("--buffer-blocks is \(bufferBlocks), and must lie between \(BlockPool.fewest) and 400000.")
    }
    if events == "-", request.kind == .raw("-") || request.kind == .wav("-") {
      throw ValidationError("Sound and events cannot both go to standard output; give one of them a path.")
    }
  }

  private func check(_ option: String, _ value: Double?, _ range: ClosedRange<Double>, _ unit: String) throws {
    guard let value, !range.contains(value) else { return }
    throw ValidationError(
      "\(option) is \(value), and must lie between \(range.lowerBound) and \(range.upperBound) \(unit).")
  }

  func run() throws {
    let requests = try places.map(station.request(for:))
    let log = try EventLog(events)
    let radio: Radio
    do throws(RadioError) {
      radio = try Interrupts.catchAfter { () throws(RadioError) in try Radio(settings, sink) }
    } catch {
      say("bakelite: \(error)")
      throw (error.isHardware ? Outcome.noHardware : .failed).exitCode
    }
    let outcome = PlaySession(radio, log).play(requests)
    if outcome != .done { throw outcome.exitCode }
  }

  private var sink: OutputRequest {
    var request = OutputRequest(output) ?? OutputRequest(.null)
    request.format = format.flatMap { PcmFormat($0) }
    request.isPaced = pace == "clock"
    return request
  }

  private var settings: RadioSettings {
    var settings = RadioSettings()
    settings.blockCount = bufferBlocks
    settings.startPolicy = startPolicy
    settings.gainDecibels = gain
    settings.hasDither = dither == "on"
    settings.duration = duration.map { StreamTime(seconds: $0) }
    if let bufferWait {
      settings.waitLive = StreamTime(seconds: bufferWait)
      settings.waitFile = StreamTime(seconds: bufferWait)
    }
    return settings
  }
}

extension RadioSettings.StartPolicy: ExpressibleByArgument {}
