import Http
import Listings
import Units

/// Requests the audio of an HLS station: a segment, after its key and its common header. Net thread only.
final class SegmentRequests {
  let keys = SegmentKeys()
  private(set) var active: SegmentFetch?
  /// The segment that was requested last.
  private(set) var segment: MediaSegment?
  /// Last received common header of segments (EXT-X-MAP).
  private var map: SegmentMap?
  /// Speed of the last segment's download in multiples of its bit rate; nil before the first.
  private(set) var speed: Double?
  private let engine: HttpEngine

  init(_ engine: HttpEngine) { self.engine = engine }

  var isReceivingSegment: Bool { active.map { $0.kind == .segment && !$0.isPaused } ?? false }

  // MARK: Time

  /// Maximum silence of an overtaken segment, and the interval of its checks.
  static let pause = Duration(milliseconds: 500)

  /// Maximum time of a download with little buffered audio, if other addresses exist: a list may announce hours.
  private static let maxTimeBeforeOthers = Duration(seconds: 30)

  /// Returns the maximum time of a download with little buffered audio.
  private func maxTime(_ search: StationSearch) -> Duration {
    let usual = Duration(seconds: max(8, 3 * (segment?.duration.seconds ?? 0)))
    return search.hasAlternatives ? min(usual, Self.maxTimeBeforeOthers) : usual
  }

  /// True if the active request lasts too long for little buffered audio.
  func isSlow(_ search: StationSearch, at now: MonotonicTime) -> Bool {
    active.map { $0.time(at: now) > maxTime(search) } ?? false
  }

  /// Returns the time at which the request becomes silent for `patience`.
  func due(_ patience: Duration) -> MonotonicTime {
    active.map { $0.isPaused ? .never : $0.lastData + patience } ?? .never
  }

  /// Returns the time at which the request becomes slow. `isOvertaken`: true if the list dropped the segment.
  func slowCheck(isOvertaken: Bool, _ search: StationSearch, at now: MonotonicTime) -> MonotonicTime {
    guard let active, !active.isPaused else { return .never }
    let left = isOvertaken ? .zero : maxTime(search) - active.time(at: now)
    return now + (left > .zero ? left : Self.pause)
  }

  // MARK: Requests

  /// The request to send next for a segment.
  enum Need {
    case key(WebAddress)
    case map(WebAddress, SegmentRange?)
    case segment(WebAddress, SegmentRange?)
    /// The encryption is not supported.
    case unsupported
    /// The address is invalid.
    case unusable(NetworkError)
  }

  func need(for segment: MediaSegment, from base: WebAddress) -> Need {
    self.segment = segment
    let missingMap = segment.map.flatMap { $0 == map ? nil : $0 }
    switch keys.selectKey(segment, isMap: missingMap != nil, from: base) {
    case .nothing: break
    case .key(let address): return .key(address)
    case .unsupported: return .unsupported
    }
    do throws(NetworkError) {
      guard let missingMap else { return .segment(try base.resolve(segment.address), segment.range) }
      let address = try base.resolve(missingMap.address)
      map = nil
      return .map(address, missingMap.range)
    } catch {
      return .unusable(error)
    }
  }

  func start(
    _ kind: SegmentFetch.Kind, _ http: HttpRequest, _ range: SegmentRange?, for receiver: any SegmentReceiver
  ) throws(NetworkError) {
    var http = http
    // Audio is compressed already.
    http.acceptsGzip = false
    if let range {
      http.firstByte = range.offset
      http.byteCount = range.length
    }
    let fetch = SegmentFetch(kind, range, for: receiver, by: engine)
    active = nil
    try fetch.start(http, by: engine)
    active = fetch
  }

  func recordMap() { map = segment?.map }

  func forgetMap() { map = nil }

  func cancel() {
    active?.cancel()
    active = nil
  }

  /// Records the end of the active request. `isWhole`: true if the response is complete.
  func end(isWhole: Bool) {
    if isWhole, let active, active.kind == .segment, active.refusal == nil, let segment {
      speed = segment.duration.seconds / max(0.001, active.time(at: active.lastData).seconds)
    }
    active = nil
  }
}
