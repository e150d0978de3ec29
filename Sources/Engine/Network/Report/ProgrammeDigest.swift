import Framing
import Units

/// The current facts of a programme: the notices to send if another thread starts to follow the programme. A value.
struct ProgrammeDigest {
  private var connecting: NetNotice?
  private var list: NetNotice?
  private var connected: NetNotice?
  private var window: NetNotice?
  private var titles: [(notice: NetNotice, time: StreamTime)] = []
  private var ads: [(notice: NetNotice, time: StreamTime)] = []
  /// True if the connection is lost or silent.
  private(set) var isInDoubt = false
  /// True if the source is known. After a seek the source is reported again.
  var isConnected: Bool { connected != nil }
  /// True if no more audio follows.
  private(set) var isOver = false

  private static let maxTitleCount = 16

  mutating func record(_ notice: NetNotice) {
    switch notice {
    case .connecting: connecting = notice
    case .listed(let items):
      list = notice
      // A feed waits for the listener's choice.
      isOver = isOver || items.isFeed
    case .connected:
      connected = notice
      isInDoubt = false
    case .window: window = notice
    case .title(_, _, _, let time), .externalTitle(_, let time):
      if titles.count == Self.maxTitleCount { titles.removeFirst() }
      titles.append((notice, time))
    case .ad(_, let time):
      if ads.count == Self.maxTitleCount { ads.removeFirst() }
      ads.append((notice, time))
    case .lost, .reconnecting: isInDoubt = true
    case .stitched, .resumed: isInDoubt = false
    case .fault(_, let isFinal): isOver = isOver || isFinal
    case .complete: isOver = true
    case .followed, .placed, .length, .readThrough, .full, .second, .lowerRate: break
    }
  }

  /// Returns true if a stream time is within an announced ad.
  func isAd(at time: StreamTime) -> Bool {
    guard !ads.isEmpty else { return false }
    var log = AdLog()
    for entry in (titles + ads).sorted(by: { $0.time < $1.time }) {
      switch entry.notice {
      case .ad(let mark, _): log.add(mark, at: entry.time)
      case .title(let text, _, _, _) where !text.isEmpty: log.addTitle(at: entry.time)
      case .externalTitle(let title, _) where !title.track.isEmpty: log.addTitle(at: entry.time)
      default: break
      }
    }
    _ = log.removeChanges(at: time)
    return log.current != nil
  }

  /// Returns the notices for a listener who hears the programme from `start` on: the source, the title at that moment,
  /// later titles, and all ads.
  func notices(from start: StreamTime) -> [NetNotice] {
    let first = titles.lastIndex { $0.time <= start } ?? 0
    let timed = (titles[first...] + ads).sorted { $0.time < $1.time }
    return [connecting, list, connected, window].compactMap { $0 } + timed.map(\.notice)
  }
}
