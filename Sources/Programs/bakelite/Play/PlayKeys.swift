import CLinux
import Control
import Glibc
import Panel
import PanelLinux
import Recordings

/// A key's action while `play` runs in a terminal; the keys without a shared action are those of mpv.
enum PlayKey: Equatable {
  case shared(SharedKey)
  /// Seek by seconds.
  case seek(Double)
  /// Change the volume by percent.
  case volume(Int)
  /// Play a station by its number, from 1.
  case station(Int)
  /// Change nothing.
  case unused

  init?(_ key: TerminalKey) {
    switch key {
    case .down: self = .seek(-60)
    case .up: self = .seek(60)
    case .character("/", isControl: false): self = .volume(-Self.volumeStep)
    case .character("*", isControl: false): self = .volume(Self.volumeStep)
    case .character(let digit, isControl: false) where ("1"..."9").contains(digit):
      self = .station(digit.wholeNumberValue ?? 1)
    default:
      guard let shared = SharedKey(key) else { return nil }
      self = .shared(shared)
    }
  }

  static let volumeStep = 2
  static let seekStep = 5.0

  static let list: [String] = {
    let shared = SharedKey.allCases.map { key in
      switch key {
      case .back: (name: key.name, meaning: "5 s back")
      case .forward: (name: key.name, meaning: "5 s forward")
      default: (name: key.name, meaning: key.meaning)
      }
    }
    let own = [
      (name: "↓ ↑", meaning: "1 min back, 1 min forward"), (name: "/ *", meaning: "softer, louder, as - +"),
      (name: "1 … 9", meaning: "a station by its number"),
    ]
    return TerminalFrame.keys(shared + own)
  }()
}

/// A source of keys, such as a terminal.
protocol KeySource: AnyObject {
  /// For poll(2) while `isReady`.
  var descriptor: Int32 { get }
  /// True if keys can be read.
  var isReady: Bool { get }

  /// Returns the action of the next key; nil if no key was pressed.
  func nextKey() -> PlayKey?
  /// Ends the use of the keys.
  func restore()
}

extension TerminalKeyboard: KeySource {
  func nextKey() -> PlayKey? { next().map { PlayKey($0) ?? .unused } }
}

/// The sleep timer of `play`.
struct SleepCycle {
  private var due: Double?

  /// Sets the next of 15, 30, 60 and 90 minutes, then off. Returns the setting in words. `now`: the radio's time in
  /// seconds.
  mutating func step(at now: Double) -> String {
    let left = due.map { (($0 - now) / 60).rounded(.up) } ?? 0
    let minutes = [15, 30, 60, 90].first { Double($0) > left }
    due = minutes.map { now + Double($0) * 60 }
    return minutes.map { "Sleep in \($0) min" } ?? "Sleep timer: off"
  }

  /// Returns the remaining minutes, rounded up; nil if the timer is off.
  func minutes(at now: Double) -> Int? { due.map { max(0, Int((($0 - now) / 60).rounded(.up))) } }

  func isOver(at now: Double) -> Bool { due.map { now >= $0 } ?? false }
}

/// Handles the keys of the terminal in which `play` runs. Control thread only.
final class PlayKeys {
  private(set) var isQuit = false
  private let keyboard: (any KeySource)?
  private let player: PlayerController
  /// True if the keys belong to the list of stations.
  private let isList: Bool
  /// The recording of the command line, which the key "r" ends and continues.
  private let order: RecordingOrder?
  private let favourites = FavouriteWriter()
  private(set) var sleep = SleepCycle()
  /// Seconds since 1970 at the last call of `attend`.
  private var wall: Int64 = 0
  /// The only other descriptor, or an epoll set with the others and the keyboard; -1 without any.
  private let watch: Int32

  /// Uses the keys of a stage. `others`: descriptors to watch too.
  init(_ player: PlayerController, _ stage: PlayStage, recording order: RecordingOrder?, beside others: [Int32]) {
    self.player = player
    keyboard = stage.keys
    isList = stage.isList
    self.order = order
    guard keyboard != nil || others.count > 1 else {
      watch = others.first ?? -1
      return
    }
    let set = bk_watch_open()
    for other in others + [favourites.descriptor] { bk_watch(set, other, false) }
    watch = set
  }

  deinit { if keyboard != nil { close(watch) } }

  /// The descriptor to watch, including the keyboard while this process owns it.
  var watched: Int32 {
    if let keyboard { bk_watch_for(watch, keyboard.descriptor, keyboard.isReady, false) }
    return watch
  }

  /// Handles pressed keys and the sleep timer. `now`: the radio's time in seconds. `wall`: seconds since 1970. `show`:
  /// shows a text.
  func attend(at now: Double, wall: Int64, _ show: (KeyWords) -> Void) {
    self.wall = wall
    if sleep.isOver(at: now) { isQuit = true }
    if let sentence = favourites.report() { show(.reason(sentence)) }
    // Held keys repeat. The limit returns control to the radio in between.
    for _ in 0..<64 {
      // Keys after "q" belong to the next screen.
      guard !isQuit, let key = keyboard?.nextKey() else { return }
      switch key {
      case .shared(.sleep): show(.state(sleep.step(at: now)))
      case .shared(let key): apply(key, show)
      case .seek(let seconds): seek(by: seconds)
      case .volume(let step): turnVolume(by: step, show)
      case .station(let number): play(station: number, show)
      case .unused: break
      }
    }
  }

  /// Ends the use of the keyboard. Returns the result for a station that was being added.
  func end() -> String? {
    keyboard?.restore()
    return favourites.finish()
  }

  private func apply(_ key: SharedKey, _ tell: (KeyWords) -> Void) {
    switch key {
    case .pause: player.toggle()
    case .quit: isQuit = true
    case .back: seek(by: -PlayKey.seekStep)
    case .forward: seek(by: PlayKey.seekStep)
    case .louder: turnVolume(by: PlayKey.volumeStep, tell)
    case .softer: turnVolume(by: -PlayKey.volumeStep, tell)
    case .mute:
      player.volume.mute(!player.volume.isMuted)
      tell(.state(player.volume.isMuted ? "Muted" : "Volume: \(player.volume.percent) %"))
    // The last item has no successor.
    case .next: if player.following != nil { player.next() } else { tell(.state("Nothing follows.")) }
    case .previous: player.previous()
    case .live: tell(.state(goLive()))
    case .record: tell(toggleRecording())
    case .keep: tell(keepSong())
    case .favourite: if let refusal = addFavourite() { tell(.reason(refusal)) }
    case .help: tell(.state(PlayHelp(player, isList: isList, hasOrder: order != nil).lines.joined(separator: "\n")))
    case .sleep: break
    }
  }

  /// Plays a preset. A playing preset continues, and a paused one resumes.
  private func play(station number: Int, _ tell: (KeyWords) -> Void) {
    guard player.presets[number - 1] != nil else { return tell(.state("No station has the number \(number).")) }
    if player.presetPlace != number - 1 || player.state == .stopped {
      player.playPreset(number - 1)
    } else if player.state == .paused {
      player.resume()
    }
  }

  private func seek(by seconds: Double) {
    if seconds < 0 { player.position.rewind(by: -seconds) } else { player.position.forward(by: seconds) }
  }

  private func turnVolume(by step: Int, _ tell: (KeyWords) -> Void) {
    player.volume.turn(by: step)
    tell(.state("Volume: \(player.volume.percent) %"))
  }

  private func goLive() -> String {
    guard player.status.facts?.isLive != false else { return "A file has no live position." }
    return player.position.live() ? "Live" : "Nothing plays."
  }

  private func toggleRecording() -> KeyWords {
    if player.recorder.recording != nil {
      player.recorder.endRecording()
      return .state("The recording ends.")
    }
    guard var order else { return recordStation() }
    // A second recording must not replace the first.
    order.appends = !order.splits
    do throws(RecordingError) { try player.recorder.record(order) } catch { return KeyWords(error) }
    return .state("Recording to \(order.path)")
  }

  /// Records the station to a new file of the recordings folder.
  private func recordStation() -> KeyWords {
    let status = player.status
    guard let facts = status.facts, let codec = status.codec, let station = player.current else {
      return KeyWords(.nothing)
    }
    guard facts.isLive else { return .reason("A recording of a file needs `bakelite play --record PATH`.") }
    let title = station.name.isEmpty ? status.station : station.name
    let name = RecordingOrder.name(title, stamp: TimeText.stamp(wall))
    var order = RecordingOrder("\(name).\(Self.ending(of: codec) ?? "mp3")", reach: .folder)
    order.isNew = true
    do throws(RecordingError) { try player.record(order) } catch { return KeyWords(error) }
    // The folder is known, and the line is short.
    let path = player.recorder.recording?.path ?? order.path
    return .state("Recording to \(path.split(separator: "/").last ?? "")")
  }

  /// Returns the ending for the files of a codec; nil if the codec cannot be recorded.
  static func ending(of codec: String) -> String? {
    ["MP1", "MP2", "MP3", "AAC"].contains(codec) ? codec.lowercased() : nil
  }

  private func keepSong() -> KeyWords {
    do throws(RecordingError) {
      let song = try player.keep(.current)
      return .state("Keeping \"\(song.title.text)\"")
    } catch {
      return KeyWords(error)
    }
  }

  /// Starts to add the station to the user's list; `attend` shows the result. Returns a sentence for a refusal.
  private func addFavourite() -> String? {
    guard let station = player.current else { return "Nothing plays." }
    return favourites.add(station.request, name: station.name.isEmpty ? player.status.station : station.name)
  }
}
