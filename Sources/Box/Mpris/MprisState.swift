import CBus
import Control
import Framing
import RadioEngine
import Units

/// The properties of MPRIS, without the position. A value.
struct MprisState: Equatable {
  /// The current track in a client's display.
  struct Track: Equatable {
    /// Counts stations and items of lists, from 1; 0 without a station.
    var number: UInt32 = 0
    var title = ""
    var artist = ""
    /// The station of a live title; otherwise empty.
    var station = ""
    var url = ""
    /// Length of a file in microseconds; 0 for a live station, and while unknown.
    var length: Int64 = 0
  }

  struct Abilities: Equatable {
    var goesNext = false
    var goesPrevious = false
    var plays = false
    var pauses = false
    var seeks = false
  }

  var status = BK_BUS_STOPPED
  /// 0 … 1; 0 while muted.
  var volume = 1.0
  var track = Track()
  var abilities = Abilities()

  init() {}

  /// Reads a player. `number`: the number of the track. `hasPresets`: true if clients step through presets instead of
  /// the queue.
  init(_ player: PlayerController, _ radio: RadioStatus, track number: UInt32, hasPresets: Bool) {
    status =
      switch player.state {
      case .stopped: BK_BUS_STOPPED
      case .paused: BK_BUS_PAUSED
      case .connecting, .buffering, .playing: BK_BUS_PLAYING
      }
    volume = player.volume.isMuted ? 0 : Double(player.volume.percent) / 100
    track.number = number
    let name = radio.station.isEmpty ? player.current?.name ?? "" : radio.station
    if let title = radio.title, !title.text.isEmpty {
      track.title = Self.clean(title.artist == nil ? title.text : title.track)
      track.artist = Self.clean(title.artist ?? "")
      if radio.facts?.isLive == true { track.station = Self.clean(name) }
    } else {
      track.title = Self.clean(name)
    }
    track.url = Self.url(player, radio)
    track.length = radio.facts?.isLive == true ? 0 : Self.microseconds(radio.duration?.rounded() ?? 0)
    let plays = player.state != .stopped
    abilities.goesNext = hasPresets || player.following != nil
    abilities.goesPrevious = hasPresets || player.current != nil
    abilities.plays = hasPresets || player.current != nil || player.queue.count > 0
    abilities.pauses = player.current != nil
    abilities.seeks = plays && radio.seeks
  }

  /// The properties for the bus, without texts and position.
  var facts: bk_bus_facts {
    bk_bus_facts(
      status: status, volume: volume, position: 0, length: track.length, track: track.number,
      can_go_next: abilities.goesNext, can_go_previous: abilities.goesPrevious, can_play: abilities.plays,
      can_pause: abilities.pauses, can_seek: abilities.seeks, can_quit: false)
  }

  /// Converts seconds; negative and invalid values become 0.
  static func microseconds(_ seconds: Double) -> Int64 {
    seconds > 0 ? Int64(min(seconds, 1e9) * 1_000_000) : 0
  }

  /// Returns valid text for the bus: short, without zeros and control characters.
  static func clean(_ text: String) -> String {
    DisplayText.clean(text, byteLimit: Int(BK_BUS_TEXT_ROOM) - 1)
  }

  /// The address without secrets; empty if it is malformed or too long. An item of a list has its own address.
  private static func url(_ player: PlayerController, _ radio: RadioStatus) -> String {
    guard let address = player.current?.request.url, !address.isDoubtful else { return "" }
    let text = radio.list == nil ? "\(address)" : radio.facts?.url ?? ""
    // A long address is cut.
    return clean(text) == text && !text.contains("…") ? text : ""
  }
}

/// Decides when a change of the properties is announced. A value; the caller passes the time.
struct MprisChanges {
  struct Set: OptionSet, Equatable {
    let rawValue: Int32
    static let status = Set(BK_BUS_CHANGED_STATUS)
    static let metadata = Set(BK_BUS_CHANGED_METADATA)
    static let volume = Set(BK_BUS_CHANGED_VOLUME)
    static let abilities = Set(BK_BUS_CHANGED_ABILITIES)

    init(rawValue: Int32) { self.rawValue = rawValue }

    private init(_ change: bk_bus_change) { rawValue = Int32(change.rawValue) }
  }

  /// Seconds between announcements of changes that a station causes.
  static let interval = 1.0

  private var announced = MprisState()
  private var next = 0.0

  /// Returns the changes to announce at `time` in seconds: status and volume at once, others at most once a second.
  mutating func due(_ state: MprisState, at time: Double) -> Set {
    var changes: Set = []
    if state.status != announced.status { changes.insert(.status) }
    if state.volume != announced.volume { changes.insert(.volume) }
    (announced.status, announced.volume) = (state.status, state.volume)
    guard time >= next, state != announced else { return changes }
    if state.track != announced.track { changes.insert(.metadata) }
    if state.abilities != announced.abilities { changes.insert(.abilities) }
    announced = state
    next = time + Self.interval
    return changes
  }
}
