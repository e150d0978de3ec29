import CBus
import Control

/// An order of a client.
public enum MprisOrder: Equatable, Sendable {
  case play, pause, toggle, stop, next, previous, quit
  /// Seek by seconds; negative for back.
  case seek(by: Double)
  /// Go to a position of the current track, in seconds.
  case go(to: Double)
  /// Set the volume, 0 to 100.
  case volume(Int)

  init(_ order: bk_bus_order) {
    let seconds = Double(order.microseconds) / 1_000_000
    self =
      switch order.kind {
      case BK_BUS_PLAY: .play
      case BK_BUS_PAUSE: .pause
      case BK_BUS_TOGGLE: .toggle
      case BK_BUS_STOP: .stop
      case BK_BUS_NEXT: .next
      case BK_BUS_PREVIOUS: .previous
      case BK_BUS_SEEK: .seek(by: seconds)
      case BK_BUS_GO_TO: .go(to: seconds)
      case BK_BUS_VOLUME: .volume(Int((order.volume * 100).rounded()))
      default: .quit
      }
  }

  /// True for an order to change the position in the current track.
  public var isPosition: Bool {
    switch self {
    case .seek, .go: true
    default: false
    }
  }

  /// Carries out the order with a player; the caller ends the program for `quit`.
  public func execute(with player: PlayerController) {
    switch self {
    case .play: player.play()
    case .pause: if player.state != .stopped { player.pause() }
    case .toggle: player.toggle()
    case .stop: player.stop()
    // The last item has no successor.
    case .next: if player.following != nil { player.next() }
    case .previous: player.previous()
    case .seek(let seconds): Self.seek(by: seconds, player)
    case .go(let seconds): Self.go(to: seconds, player)
    case .volume(let percent): player.volume.turn(to: percent)
    case .quit: break
    }
  }

  /// Continues with the next track after the end of a file, as MPRIS demands.
  private static func seek(by seconds: Double, _ player: PlayerController) {
    let status = player.status
    if seconds < 0 {
      player.position.rewind(by: -seconds)
    } else if let end = status.duration, status.position + seconds > end, player.following != nil {
      player.next()
    } else {
      player.position.forward(by: seconds)
    }
  }

  private static func go(to seconds: Double, _ player: PlayerController) {
    let status = player.status
    if status.facts?.isLive == false {
      player.position.seek(to: seconds)
    } else if seconds < status.position {
      player.position.rewind(by: status.position - seconds)
    } else {
      player.position.forward(by: seconds - status.position)
    }
  }
}
