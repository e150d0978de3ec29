/// A client's protocol state without the socket: pending input and unsent output, both bounded.
public final class ControlSession {
  /// Maximum length of a line in bytes.
  static let maxLineLength = 16 * 1_024
  /// Maximum number of commands in a command list, and maximum bytes of all its commands. Each command adds 64 bytes.
  static let maxListCount = 2_048
  static let maxListBytes = 256 * 1_024
  /// Maximum unsent output in bytes.
  static let maxOutgoing = 4 << 20
  /// Unsent bytes below which a reply in pieces continues.
  static let pieceThreshold = 32 * 1_024
  private static let maxWrongPasswords = 5
  /// Assumed memory of an incomplete reply in bytes; its unsent output is counted separately.
  private static let pendingWeight = 64 * 1_024

  /// True if the client connected over the Unix socket.
  public let isLocal: Bool
  /// The client's address group (`AddressGroup`); nil for the Unix socket.
  let address: String?
  var tags = Set(MpdTag.allCases)
  var followsEvents = false
  var mailbox = ClientMailbox()
  private(set) var isLeaving = false
  private(set) var outgoing: [UInt8]

  private unowned let commands: RadioCommands
  private var permission: Permission
  private var incoming: [UInt8] = []
  private var lineCount = 0
  /// The list being received, and the list being executed.
  private var list: CommandList?
  private var running: CommandList?
  private var changes: Set<Subsystem> = []
  private var awaited: Set<Subsystem>?
  private var wrongPasswords = 0
  private var pending: PendingAnswer?

  private struct CommandList {
    var lines: [[UInt8]] = []
    var byteCount = 0
    var next = 0
    let confirmsEach: Bool
  }

  init(_ commands: RadioCommands, isLocal: Bool, address: String?) {
    self.commands = commands
    self.isLocal = isLocal
    self.address = address
    permission = commands.clients.initialPermission(isLocal: isLocal)
    outgoing = Array("OK MPD 0.23.5\n".utf8)
  }

  var isIdle: Bool { awaited != nil || followsEvents }

  var hasWork: Bool {
    guard let pending else { return !isLeaving && (running != nil || lineCount > 0) }
    return !isLeaving && pending.isFlowing && !isFull
  }

  var isWaiting: Bool { pending != nil }

  /// True if a reply in pieces waits until the client reads more.
  var isStalled: Bool { pending?.isFlowing == true && isFull }

  private var isFull: Bool { outgoing.count >= Self.pieceThreshold }

  var weight: Int {
    incoming.count + outgoing.capacity + (list?.byteCount ?? 0) + (running?.byteCount ?? 0) + mailbox.byteCount
      + (pending == nil ? 0 : Self.pendingWeight)
  }

  // MARK: Sending

  func send(_ text: String) {
    outgoing += text.utf8
    if outgoing.count > Self.maxOutgoing { leave() }
  }

  func removeSent(_ count: Int) {
    outgoing.removeFirst(count)
    if outgoing.isEmpty, outgoing.capacity > Self.pieceThreshold { outgoing = [] }
  }

  /// Stops all commands; the client is disconnected after the unsent output.
  func leave() {
    isLeaving = true
    (incoming, lineCount, list, running, awaited, pending) = ([], 0, nil, nil, nil, nil)
  }

  // MARK: Execution

  func receive(_ bytes: some Collection<UInt8>) {
    guard !isLeaving else { return }
    incoming += bytes
    lineCount += bytes.count { $0 == UInt8(ascii: "\n") }
  }

  /// Executes up to `most` commands. Returns true if a complete line was consumed, or if a pending reply grew.
  @discardableResult
  func work(_ most: Int = .max) -> Bool {
    var (count, isHeard) = (0, false)
    while count < most, !isLeaving {
      count += 1
      if let pending {
        guard !isStalled, answer(pending) else { break }
        isHeard = true
        if isWaiting || isLeaving { continue }
      }
      if running != nil {
        runNext()
        continue
      }
      guard lineCount > 0, let end = incoming.firstIndex(of: UInt8(ascii: "\n")) else { break }
      isHeard = true
      lineCount -= 1
      let line = incoming[..<end]
      incoming.removeFirst(end + 1)
      if line.count > Self.maxLineLength {
        leave()
      } else {
        process(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
      }
    }
    if incoming.count > Self.maxLineLength, !hasWork, !isWaiting { leave() }
    return isHeard
  }

  private func answer(_ pending: PendingAnswer) -> Bool {
    var answer = ControlAnswer()
    do throws(ControlRefusal) {
      let progress = try pending.step(&answer)
      send(answer.text)
      guard !isLeaving else { return true }
      self.pending?.isFlowing = progress == .more
      guard progress == .done else { return progress == .more }
      self.pending = nil
      if running == nil { send("OK\n") } else { finishListCommand() }
    } catch {
      (self.pending, running) = (nil, nil)
      send(error.line(to: pending.name, at: pending.index))
    }
    return true
  }

  private func process(_ line: ArraySlice<UInt8>) {
    // Other first bytes belong to another protocol.
    guard let first = line.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return leave() }
    if line.elementsEqual("noidle".utf8) {
      if list == nil { endIdle() }
      return
    }
    if awaited != nil { return leave() }
    if list != nil { return appendToList(line) }
    if line.elementsEqual("command_list_begin".utf8) {
      list = CommandList(confirmsEach: false)
    } else if line.elementsEqual("command_list_ok_begin".utf8) {
      list = CommandList(confirmsEach: true)
    } else if execute(line, at: 0, inList: false) == .done, !isLeaving {
      send("OK\n")
    }
  }

  private func appendToList(_ line: ArraySlice<UInt8>) {
    if line.elementsEqual("command_list_end".utf8) {
      running = list
      list = nil
    } else {
      list?.lines.append(Array(line))
      list?.byteCount += line.count + 64
      if let list, list.lines.count > Self.maxListCount || list.byteCount > Self.maxListBytes { leave() }
    }
  }

  private func runNext() {
    guard let list = running else { return }
    guard list.next < list.lines.count else {
      running = nil
      return send("OK\n")
    }
    let outcome = execute(list.lines[list.next][...], at: list.next, inList: true)
    guard outcome != .refused, !isLeaving else {
      running = nil
      return
    }
    if outcome == .done { finishListCommand() }
  }

  private func finishListCommand() {
    if running?.confirmsEach == true { send("list_OK\n") }
    running?.next += 1
  }

  private enum Outcome {
    case done, deferred, refused
  }

  private func execute(_ line: ArraySlice<UInt8>, at index: Int, inList: Bool) -> Outcome {
    var name = ""
    do throws(ControlRefusal) {
      let request = try ControlRequest(line)
      if commands.table[request.name] != nil { name = request.name }
      if inList, request.name == "idle" { throw ControlRefusal(.unknown, "idle cannot be part of a list") }
      let answer = try commands.run(request, for: self)
      send(answer.text)
      guard let rest = answer.rest else { return answer.isDeferred ? .deferred : .done }
      if !isLeaving { pending = PendingAnswer(rest, to: name, at: index) }
      return .deferred
    } catch {
      send(error.line(to: name, at: index))
      return .refused
    }
  }

  // MARK: Changes

  func wait(for subsystems: Set<Subsystem>) {
    awaited = subsystems
    sendChanges()
  }

  func notify(_ changes: Set<Subsystem>) {
    self.changes.formUnion(changes)
    sendChanges()
  }

  private func sendChanges() {
    guard let awaited, !changes.isDisjoint(with: awaited) else { return }
    commands.clients.markNews()
    for subsystem in Subsystem.allCases where awaited.contains(subsystem) && changes.contains(subsystem) {
      send("changed: \(subsystem.rawValue)\n")
    }
    changes.subtract(awaited)
    endIdle()
  }

  private func endIdle() {
    guard awaited != nil else { return }
    awaited = nil
    send("OK\n")
  }

  // MARK: Permissions

  func may(_ row: ControlCommand) -> Bool { may(row.permission) }

  /// Returns true if the client may use commands that need a permission; `control` includes `player`.
  func may(_ needed: Permission) -> Bool {
    let holds = permission.contains(.control) ? permission.union(.player) : permission
    return holds.isSuperset(of: needed)
  }

  var isStranger: Bool { permission == [] }

  func identify(_ password: String) throws(ControlRefusal) {
    switch commands.clients.check(password, from: address) {
    case .right(let permission): self.permission = permission
    case .wrong:
      wrongPasswords += 1
      if wrongPasswords >= Self.maxWrongPasswords { leave() }
      throw ControlRefusal(.password, "incorrect password")
    case .wait(let seconds):
      throw ControlRefusal(.password, "too many wrong passwords; try again in \(seconds) s")
    }
  }
}
