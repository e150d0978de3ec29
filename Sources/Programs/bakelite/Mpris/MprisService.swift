import CBus
import CLinux
import Control
import Glibc
import RadioEngine
import System

/// Connects desktop applets and media keys with a player (MPRIS 2.2). Control thread only; nothing blocks.
final class MprisService {
  private(set) var isQuit = false
  private let player: PlayerController
  private let readiness = Descriptor(bk_watch_open())
  private var connection: BusConnection?
  private var changes = MprisChanges()
  private var hasSought = false
  private var track: UInt32 = 0
  /// The station and the item that `track` counts.
  private var current: (station: Int?, item: Int?) = (nil, nil)

  /// Connects to the session bus. Nil without a bus, or without libsystemd.
  init?(_ player: PlayerController) {
    guard let outside = BusAddress(environment: { getenv($0).map { String(cString: $0) } })?.connect(), bk_bus_load(),
      let connection = BusConnection(outside, watchedBy: readiness.raw)
    else { return nil }
    self.player = player
    self.connection = connection
  }

  /// The `epoll(7)` descriptor to poll for input before `attend`.
  var descriptor: Int32 { readiness.raw }

  /// Announces the next position as a jump.
  func seek() { hasSought = true }

  /// Applies orders and announces changes. `time`: the radio's, in seconds. Returns a sentence after the connection's
  /// end.
  func attend(at time: Double) -> String? {
    guard let connection else { return nil }
    // Clients read the position of this moment.
    _ = show(connection)
    var failure = connection.receive(at: time)
    while let order = connection.nextOrder() { apply(order) }
    let state = show(connection)
    if connection.isNamed {
      connection.announce(changes.due(state, at: time), hasSought: hasSought)
      hasSought = false
    }
    failure = failure ?? connection.send()
    guard let failure else { return nil }
    self.connection = nil
    return Self.sentence(failure)
  }

  private func show(_ connection: BusConnection) -> MprisState {
    let status = player.status
    let now = (station: player.tunedID, item: status.item)
    if now != current, now.station != nil {
      current = now
      track &+= 1
    }
    let state = MprisState(player, status, track: track)
    connection.show(state, position: status.position)
    return state
  }

  private func apply(_ order: bk_bus_order) {
    switch order.kind {
    case BK_BUS_PLAY: player.play()
    case BK_BUS_PAUSE: if player.state != .stopped { player.pause() }
    case BK_BUS_TOGGLE: player.toggle()
    case BK_BUS_STOP: player.stop()
    // The last item has no successor.
    case BK_BUS_NEXT: if player.following != nil { player.next() }
    case BK_BUS_PREVIOUS: player.previous()
    case BK_BUS_SEEK: seek(by: Double(order.microseconds) / 1_000_000)
    case BK_BUS_GO_TO: go(to: Double(order.microseconds) / 1_000_000)
    case BK_BUS_VOLUME: player.volume.turn(to: Int((order.volume * 100).rounded()))
    default: isQuit = true
    }
  }

  /// Goes on to the next track after the end of a file, as MPRIS demands.
  private func seek(by seconds: Double) {
    let status = player.status
    if seconds < 0 {
      player.position.rewind(by: -seconds)
    } else if let end = status.duration, status.position + seconds > end, player.following != nil {
      player.next()
    } else {
      player.position.forward(by: seconds)
    }
  }

  private func go(to seconds: Double) {
    let status = player.status
    if status.facts?.isLive == false {
      player.position.seek(to: seconds)
    } else if seconds < status.position {
      player.position.rewind(by: status.position - seconds)
    } else {
      player.position.forward(by: seconds - status.position)
    }
  }

  private static func sentence(_ failure: BusConnection.Failure) -> String {
    let event =
      switch failure {
      case .ended: "The session bus closed the connection"
      case .flooded: "The session bus sent too many or too long messages"
      case .stuck: "The session bus accepts no messages"
      case .refused: "The session bus refused the connection"
      }
    return "\(event); media keys have no effect until the next start."
  }
}
