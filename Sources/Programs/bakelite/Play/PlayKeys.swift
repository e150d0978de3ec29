import CLinux
import Control
import PanelLinux
import Panel

/// A key's action while `play` runs in a terminal; the keys are those of mpv.
enum PlayKey: Equatable {
  case pause, quit, mute, next, previous, help
  /// Seek by seconds.
  case seek(Double)
  /// Change the volume by percent.
  case volume(Int)

  init?(_ key: TerminalKey) {
    switch key {
    case .left: self = .seek(-5)
    case .right: self = .seek(5)
    case .down: self = .seek(-60)
    case .up: self = .seek(60)
    case .character(let letter, isControl: false):
      guard let known = Self.letters[letter] else { return nil }
      self = known
    default: return nil
    }
  }

  private static let letters: [Character: PlayKey] = [
    " ": .pause, "p": .pause, "q": .quit, "Q": .quit, "9": .volume(-2), "/": .volume(-2), "0": .volume(2),
    "*": .volume(2), "m": .mute, ">": .next, "<": .previous, "?": .help,
  ]

  static let list = TerminalFrame.keys([
    ("Space, p", "pause, play"), ("q", "quit"), ("← →", "5 s back, 5 s forward"), ("↓ ↑", "1 min back, 1 min forward"),
    ("9 0", "volume, by 2 %"), ("m", "mute"), ("< >", "previous, next"), ("?", "this list"),
  ])
}

/// Handles the keys of the terminal in which `play` runs. Control thread only.
final class PlayKeys {
  private(set) var isQuit = false
  private let keyboard: TerminalKeyboard?
  private let player: PlayerController
  /// The only other descriptor, or an epoll set with the others and the keyboard; -1 without any.
  private let watch: Int32

  /// Opens the keyboard if standard input and output are a terminal. `others`: descriptors to watch too.
  init(_ player: PlayerController, beside others: [Int32]) {
    self.player = player
    let keyboard = TerminalKeyboard()
    self.keyboard = keyboard
    guard keyboard != nil || others.count > 1 else {
      watch = others.first ?? -1
      return
    }
    let set = bk_watch_open()
    for other in others { bk_watch(set, other, false) }
    watch = set
  }

  /// The descriptor to watch, including the keyboard while this process owns it.
  var watched: Int32 {
    if let keyboard { bk_watch_for(watch, keyboard.descriptor, keyboard.isReady, false) }
    return watch
  }

  /// Handles pressed keys. `tell`: shows a text.
  func attend(_ tell: (String) -> Void) {
    // Held keys repeat. The limit returns control to the radio in between.
    for _ in 0..<64 {
      guard let key = keyboard?.next() else { return }
      if let known = PlayKey(key) { apply(known, tell) }
    }
  }

  func end() { keyboard?.restore() }

  private func apply(_ key: PlayKey, _ tell: (String) -> Void) {
    switch key {
    case .pause: player.toggle()
    case .quit: isQuit = true
    case .seek(let seconds):
      if seconds < 0 { player.position.rewind(by: -seconds) } else { player.position.forward(by: seconds) }
    case .volume(let step):
      player.volume.turn(by: step)
      tell("Volume: \(player.volume.percent) %")
    case .mute:
      player.volume.mute(!player.volume.isMuted)
      tell(player.volume.isMuted ? "Muted" : "Volume: \(player.volume.percent) %")
    // The last item has no successor.
    case .next: if player.following != nil { player.next() }
    case .previous: player.previous()
    case .help: tell(PlayKey.list.joined(separator: "\n"))
    }
  }
}
