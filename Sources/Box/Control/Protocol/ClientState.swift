import Recordings

/// The state of a client that commands read and change. Control thread only.
final class ClientState {
  /// Maximum unsent output in bytes.
  static let maxOutgoing = 4 << 20
  /// Unsent bytes below which a reply in pieces continues.
  static let pieceThreshold = 32 * 1_024
  private static let maxWrongPasswords = 5

  /// The number of the connection; no other connection has it.
  let number: Int
  /// True if the client connected over the Unix socket.
  let isLocal: Bool
  /// The client's address group (`AddressGroup`); nil for the Unix socket.
  let address: String?
  private(set) var permission: Permission
  private(set) var tags = Set(MpdTag.allCases)
  private(set) var followsEvents = false
  var mailbox = ClientMailbox()
  /// True if the client is disconnected after the unsent output; then no more commands run.
  private(set) var isLeaving = false
  private(set) var outgoing = Array("OK MPD 0.23.5\n".utf8)
  /// The file to pass with a byte of `outgoing`, at this offset; nil without a file.
  private(set) var passing: (file: OpenRecording, offset: Int)?
  private var changes: Set<Subsystem> = []
  private var awaited: Set<Subsystem>?
  private var wrongPasswords = 0

  init(number: Int, isLocal: Bool, address: String?, _ permission: Permission) {
    self.number = number
    self.isLocal = isLocal
    self.address = address
    self.permission = permission
  }

  // MARK: Output

  var isFull: Bool { outgoing.count >= Self.pieceThreshold }

  func send(_ text: String) {
    outgoing += text.utf8
    if outgoing.count > Self.maxOutgoing { leave() }
  }

  /// Passes an open file with the first byte of the text.
  func send(_ text: String, passing file: OpenRecording) {
    passing = (file, outgoing.count)
    send(text)
  }

  func removeSent(_ count: Int) {
    if let passing { self.passing = count > passing.offset ? nil : (passing.file, passing.offset - count) }
    outgoing.removeFirst(count)
    if outgoing.isEmpty, outgoing.capacity > Self.pieceThreshold { outgoing = [] }
  }

  func leave() {
    isLeaving = true
    awaited = nil
  }

  /// Sets the tags that replies contain.
  func choose(tags: Set<MpdTag>) { self.tags = tags }

  // MARK: Changes

  /// Starts to send each event to the client.
  func followEvents() { followsEvents = true }

  /// True while the client waits for changes (`idle`).
  var awaitsChanges: Bool { awaited != nil }

  var isIdle: Bool { awaitsChanges || followsEvents }

  /// Starts to wait for changes. Returns true if earlier changes ended the wait.
  func wait(for subsystems: Set<Subsystem>) -> Bool {
    awaited = subsystems
    return sendChanges()
  }

  /// Reports changes, now or to a later `idle`. Returns true if reported now.
  func notify(_ changes: Set<Subsystem>) -> Bool {
    self.changes.formUnion(changes)
    return sendChanges()
  }

  private func sendChanges() -> Bool {
    guard let awaited, !changes.isDisjoint(with: awaited) else { return false }
    for subsystem in Subsystem.allCases where awaited.contains(subsystem) && changes.contains(subsystem) {
      send("changed: \(subsystem.rawValue)\n")
    }
    changes.subtract(awaited)
    endIdle()
    return true
  }

  func endIdle() {
    guard awaitsChanges else { return }
    awaited = nil
    send("OK\n")
  }

  // MARK: Permissions

  func grant(_ permission: Permission) { self.permission = permission }

  /// Returns true if the client may use commands that need a permission; `control` includes `player`.
  func may(_ needed: Permission) -> Bool {
    let holds = permission.contains(.control) ? permission.union(.player) : permission
    return holds.isSuperset(of: needed)
  }

  var isStranger: Bool { permission == [] }

  func countWrongPassword() {
    wrongPasswords += 1
    if wrongPasswords >= Self.maxWrongPasswords { leave() }
  }
}
