import CLinux
import Control
import RadioEngine
import System

/// Connects desktop applets and media keys with a player (MPRIS 2.2). Control thread only; nothing blocks.
public final class MprisService {
  private let canQuit: Bool
  private let readiness = Descriptor(bk_watch_open())
  private var connection: BusConnection?
  private var changes = MprisChanges()
  private var hasSought = false
  private var track: UInt32 = 0
  /// The station and the item that `track` counts.
  private var current: (station: Int?, item: Int?) = (nil, nil)

  /// Connects to a bus, and then loads libsystemd. Nil without the bus or the library. `canQuit`: true if clients may
  /// end the program.
  public init?(_ bus: MprisBus, canQuit: Bool) {
    guard let outside = BusAddress(bus)?.connect(), MprisBus.loadLibrary(),
      let connection = BusConnection(outside, watchedBy: readiness.raw)
    else { return nil }
    self.canQuit = canQuit
    self.connection = connection
  }

  /// The `epoll(7)` descriptor to poll for input before `attend`.
  public var descriptor: Int32 { readiness.raw }

  /// True if clients find the player.
  public var isNamed: Bool { connection?.isNamed == true }

  /// Announces the next position as a jump.
  public func seek() { hasSought = true }

  /// Passes clients' orders to `apply`, and announces changes of the player. `time`: seconds of a clock. `hasPresets`:
  /// true if clients step through presets instead of the queue. Returns the reason once after the connection's end.
  public func attend(
    _ player: PlayerController, hasPresets: Bool = false, at time: Double, _ apply: (MprisOrder) -> Void
  ) -> MprisFailure? {
    guard let connection else { return nil }
    // Clients read the position of this moment.
    _ = show(player, hasPresets, connection)
    var failure = connection.receive(at: time)
    while let order = connection.nextOrder() { apply(order) }
    let state = show(player, hasPresets, connection)
    if connection.isNamed {
      connection.announce(changes.due(state, at: time), hasSought: hasSought)
      hasSought = false
    }
    failure = failure ?? connection.send()
    if failure != nil { self.connection = nil }
    return failure
  }

  private func show(_ player: PlayerController, _ hasPresets: Bool, _ connection: BusConnection) -> MprisState {
    let status = player.status
    let now = (station: player.tunedID, item: status.item)
    if now != current, now.station != nil {
      current = now
      track &+= 1
    }
    let state = MprisState(player, status, track: track, hasPresets: hasPresets)
    connection.show(state, position: status.position, canQuit: canQuit)
    return state
  }
}
