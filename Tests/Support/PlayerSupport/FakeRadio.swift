import Control
import Metering
import Network
import RadioEngine
import Recordings

/// A radio without threads. A test sets its state and reads the received commands.
final class FakeRadio: PlaybackEngine, RecordingEngine, SoundMeter {
  var status = RadioStatus()
  var state: RadioState {
    get { status.state }
    set { status.state = newValue }
  }
  var list: FileList?
  var item: Int?
  var follower: StationRequest? { didSet { commands.append("follower \(Self.name(follower))") } }
  var fault: PlaybackFault?
  var soundProblem: String?
  var isDeviceMissing = false
  var isFirstChoiceReady = false
  var isFirstChoiceAtAd = false
  var networkChanges: UInt32 = 0
  var isAudioPlaying: Bool {
    get { status.isAudioPlaying }
    set { status.isAudioPlaying = newValue }
  }
  var isSinkLost = false
  var isSuspended = false
  var isLettingGo = false
  var time = 0.0
  var summary = Summary()
  var residentKibibytes = 0
  var hasTitles = false
  var recording: Recording?
  var levels: (left: Level, right: Level) = (Level(), Level())
  var sampleBits = 16
  /// The commands since the last read.
  var newCommands: [String] {
    defer { commands = [] }
    return commands
  }
  private var commands: [String] = []

  init() {}

  /// Returns the last path component of a request's address.
  static func name(_ request: StationRequest?) -> String {
    request.map { String($0.url.unredacted.split(separator: "/").last ?? "") } ?? "none"
  }

  func tune(_ request: StationRequest) {
    commands.append("tune \(Self.name(request))")
    (list, item, state) = (nil, nil, .connecting)
  }

  func prefetch(_ rule: PrefetchRule) {
    let first = rule.firstChoice.map { " for \(Self.name($0))" } ?? ""
    commands.append("prefetch \(rule.requests.map { Self.name($0) }.joined(separator: " "))\(first)")
  }

  func playItem(_ number: Int) -> Bool {
    guard let list, list.items.indices.contains(number) else { return false }
    commands.append("item \(number)")
    item = number
    return true
  }

  func pause(_ reason: Event.StopReason) { recordCommand("pause", .paused) }
  func resume() { recordCommand("resume", .playing) }
  func watchQuiet(below decibels: Double?) { commands.append("quiet \(decibels.map { "\($0)" } ?? "off")") }
  var quietSeconds = 0.0
  var quietLevel = -70.0
  var loopSeconds = 0.0
  func playTone(_ isOn: Bool) { commands.append("tone \(isOn)") }

  func playAlarmTone(_ isOn: Bool) { commands.append("alarm tone \(isOn)") }
  var onReport: (Event) -> Void = { _ in }
  func report(_ event: Event) {
    commands.append(event.json(at: time))
    onReport(event)
  }
  func stop(_ reason: Event.StopReason) { recordCommand("stop", .stopped) }
  func suspend() {
    recordCommand("suspend", state)
    isSuspended = true
  }
  func endSuspension() {
    recordCommand("endSuspension", state)
    isSuspended = false
  }
  func rewind(by seconds: Double) -> SeekPlan { recordSeek("rewind \(seconds)") }
  func forward(by seconds: Double) -> SeekPlan { recordSeek("forward \(seconds)") }
  func goLive() -> SeekPlan { recordSeek("live") }
  func goOldest() -> SeekPlan { recordSeek("oldest") }
  func seek(to seconds: Double) -> SeekPlan { recordSeek("seek \(seconds)") }
  func beginNowPlaying() -> Bool { hasTitles }
  func endNowPlaying() -> Bool { hasTitles }
  func record(_ order: RecordingOrder) throws(RecordingError) {
    commands.append("record \(order.path)")
    if let recordFailure { throw recordFailure }
  }
  func endRecording() { commands.append("end recording") }
  /// The error that `record` throws; nil to start.
  var recordFailure: RecordingError? = .busy
  /// The song that `keep` returns; nil to throw.
  var song: KeptSong?
  var keepFailure = RecordingError.noSong

  func keep(_ which: Radio.Song) throws(RecordingError) -> KeptSong {
    guard let song else { throw keepFailure }
    return song
  }
  func spectrum(bands: Int) -> [Decibels] { [] }

  private func recordSeek(_ word: String) -> SeekPlan {
    recordCommand(word, state)
    return .stays
  }

  private func recordCommand(_ word: String, _ state: RadioState) {
    commands.append(word)
    self.state = state
  }
}
