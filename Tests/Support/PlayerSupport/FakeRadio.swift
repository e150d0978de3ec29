import Control
import Metering
import Network
import RadioEngine

/// A radio without threads. A test sets its state and reads the received commands.
final class FakeRadio: PlaybackEngine, RecordingEngine, SoundMeter {
  var status = RadioStatus()
  var state: RadioState {
    get { status.state }
    set { status.state = newValue }
  }
  var list: FileList?
  var item: Int?
  var follower: StationRequest? { didSet { orders.append("follower \(Self.name(follower))") } }
  var fault: PlaybackFault?
  var soundProblem: String?
  var isDeviceMissing = false
  var isSinkLost = false
  var isSuspended = false
  var isLettingGo = false
  var time = 0.0
  var summary = Summary()
  var residentKibibytes = 0
  var hasTitles = false
  var recording: Recording?
  var levels: (left: Level, right: Level) { (Level(), Level()) }
  var sampleBits = 16
  /// The commands since the last read.
  var told: [String] {
    defer { orders = [] }
    return orders
  }
  private var orders: [String] = []

  init() {}

  /// Returns the last path component of a request's address.
  static func name(_ request: StationRequest?) -> String {
    request.map { String($0.url.unredacted.split(separator: "/").last ?? "") } ?? "none"
  }

  func tune(_ request: StationRequest) {
    orders.append("tune \(Self.name(request))")
    (list, item, state) = (nil, nil, .connecting)
  }

  func playItem(_ number: Int) -> Bool {
    guard let list, list.items.indices.contains(number) else { return false }
    orders.append("item \(number)")
    item = number
    return true
  }

  func pause(_ reason: Event.StopReason) { order("pause", .paused) }
  func resume() { order("resume", .playing) }
  func stop(_ reason: Event.StopReason) { order("stop", .stopped) }
  func suspend() {
    order("suspend", state)
    isSuspended = true
  }
  func endSuspension() {
    order("endSuspension", state)
    isSuspended = false
  }
  func rewind(by seconds: Double) -> SeekPlan { go("rewind \(seconds)") }
  func forward(by seconds: Double) -> SeekPlan { go("forward \(seconds)") }
  func goLive() -> SeekPlan { go("live") }
  func goOldest() -> SeekPlan { go("oldest") }
  func seek(to seconds: Double) -> SeekPlan { go("seek \(seconds)") }
  func beginNowPlaying() -> Bool { hasTitles }
  func endNowPlaying() -> Bool { hasTitles }
  func record(_ order: RecordingOrder) throws(RecordingError) {
    orders.append("record \(order.path)")
    throw .busy
  }
  func endRecording() { orders.append("end recording") }
  func keep(_ which: Radio.Song) throws(RecordingError) -> KeptSong { throw .noSong }
  func spectrum(bands: Int) -> [Decibels] { [] }

  private func go(_ word: String) -> SeekPlan {
    order(word, state)
    return .stays
  }

  private func order(_ word: String, _ state: RadioState) {
    orders.append(word)
    self.state = state
  }
}
