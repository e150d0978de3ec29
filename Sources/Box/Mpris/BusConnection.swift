import CBus
import CLinux
import Glibc
import System

/// A connection of MPRIS to a bus. libsystemd reads one end of a socket pair; bytes from the bus pass a `BusFilter`
/// first. Control thread only; nothing blocks.
final class BusConnection {
  private let bus: OpaquePointer
  private let outside: Descriptor
  private let inside: Descriptor
  /// An `epoll(7)` descriptor, owned by the caller.
  private let readiness: Int32
  private var filter = BusFilter()
  private var unsent: ArraySlice<UInt8> = []
  private var buffer = [UInt8](repeating: 0, count: 4_096)

  /// Signs in at a connected bus, and adds its socket to an epoll set. Nil without descriptors or memory.
  init?(_ outside: consuming Descriptor, watchedBy readiness: Int32) {
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return nil }
    let inside = Descriptor(pair[0])
    guard let bus = bk_bus_start(pair[1]) else { return nil }
    self.bus = bus
    self.inside = inside
    self.readiness = readiness
    self.outside = outside
    bk_watch(readiness, self.outside.raw, false)
  }

  deinit { bk_bus_stop(bus) }

  /// True if clients find the player under its name.
  var isNamed: Bool { bk_bus_is_named(bus) }

  /// Reads and handles messages, at most 16 KB. `time`: seconds of a clock.
  func receive(at time: Double) -> MprisFailure? {
    for _ in 0..<4 {
      let count = recv(outside.raw, &buffer, buffer.count, 0)
      if count == 0 || count < 0 && ![EAGAIN, EINTR].contains(errno) { return .ended }
      if count > 0 {
        guard filter.passes(buffer[..<count], at: time) else { return .flooded }
        // libsystemd emptied the pair before, and a pair has room for more than the buffer.
        guard Glibc.send(inside.raw, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return .stuck }
      }
      if bk_bus_process(bus, Self.maxMessages) < 0 { return .refused }
      if count < buffer.count { return nil }
    }
    return nil
  }

  /// Sends queued messages until the bus accepts no more.
  func send() -> MprisFailure? {
    for _ in 0..<64 {
      if unsent.isEmpty {
        let count = recv(inside.raw, &buffer, buffer.count, 0)
        if count == 0 { return .refused }
        if count < 0 { break }
        unsent = buffer[..<count]
      }
      let count = unsent.withUnsafeBytes { Glibc.send(outside.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, ![EAGAIN, EINTR].contains(errno) { return .ended }
      if count <= 0 { break }
      unsent = unsent.dropFirst(count)
    }
    bk_watch(readiness, outside.raw, !unsent.isEmpty)
    return bk_bus_waiting(bus) > Self.maxWaiting ? .stuck : nil
  }

  /// Returns the next order of a client.
  func nextOrder() -> MprisOrder? {
    var order = bk_bus_order()
    return bk_bus_next_order(bus, &order) ? MprisOrder(order) : nil
  }

  /// Sets the properties that clients read. `canQuit`: true if clients may end the program.
  func show(_ state: MprisState, position: Double, canQuit: Bool) {
    var facts = state.facts
    facts.can_quit = canQuit
    facts.position = MprisState.microseconds(position)
    bk_bus_show(bus, &facts)
    bk_bus_write(bus, BK_BUS_TITLE, state.track.title)
    bk_bus_write(bus, BK_BUS_ARTIST, state.track.artist)
    bk_bus_write(bus, BK_BUS_ALBUM, state.track.station)
    bk_bus_write(bus, BK_BUS_URL, state.track.url)
  }

  /// Emits signals for changed properties, and for a jump of the position.
  func announce(_ changes: MprisChanges.Set, hasSought: Bool) {
    if !changes.isEmpty { bk_bus_announce(bus, changes.rawValue) }
    if hasSought { bk_bus_announce_position(bus) }
  }

  /// More than the messages of a full buffer.
  private static let maxMessages: Int32 = 300
  private static let maxWaiting: UInt64 = 64
}
