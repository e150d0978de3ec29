/// A client's commands in execution: lines, command lists, and the reply in progress, all bounded. Control thread only.
final class ControlSession {
  /// Maximum length of a line in bytes.
  static let maxLineLength = 16 * 1_024
  /// Maximum number of commands in a command list, and maximum bytes of all its commands. Each command adds 64 bytes.
  static let maxListCount = 2_048
  static let maxListBytes = 256 * 1_024
  /// Assumed memory of an incomplete reply in bytes; its unsent output is counted separately.
  private static let pendingWeight = 64 * 1_024

  let client: ClientState
  private let commands: CommandTable
  private var incoming: [UInt8] = []
  private var lineCount = 0
  /// The list being received, and the list being executed.
  private var list: CommandList?
  private var running: CommandList?
  private var pending: PendingAnswer?

  private struct CommandList {
    var lines: [[UInt8]] = []
    var byteCount = 0
    var next = 0
    let confirmsEach: Bool
  }

  /// Opens a session for a client of the Unix socket, or of TCP with its address group.
  init(_ commands: CommandTable, isLocal: Bool, address: String? = nil) {
    self.commands = commands
    client = commands.context.clients.add(isLocal: isLocal, address: address)
  }

  func close() { commands.context.clients.remove(client) }

  var hasWork: Bool {
    guard !client.isLeaving else { return false }
    guard let pending else { return running != nil || lineCount > 0 }
    return pending.isFlowing && !client.isFull
  }

  var isWaiting: Bool { pending != nil && !client.isLeaving }

  /// True if a reply in pieces waits until the client reads more.
  var isStalled: Bool { isWaiting && pending?.isFlowing == true && client.isFull }

  var weight: Int {
    incoming.count + client.outgoing.capacity + (list?.byteCount ?? 0) + (running?.byteCount ?? 0)
      + client.mailbox.byteCount + (pending == nil ? 0 : Self.pendingWeight)
  }

  // MARK: Execution

  func receive(_ bytes: some Collection<UInt8>) {
    guard !client.isLeaving else { return }
    incoming += bytes
    lineCount += bytes.count { $0 == UInt8(ascii: "\n") }
  }

  /// Executes up to `most` commands. Returns true if a complete line was consumed, or if a pending reply grew.
  @discardableResult
  func work(_ most: Int = .max) -> Bool {
    var (count, isHeard) = (0, false)
    while count < most, !client.isLeaving {
      count += 1
      if let pending {
        guard !isStalled, answer(pending) else { break }
        isHeard = true
        if isWaiting || client.isLeaving { continue }
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
        client.leave()
      } else {
        process(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
      }
    }
    if incoming.count > Self.maxLineLength, !hasWork, !isWaiting { client.leave() }
    if client.isLeaving { discardInput() }
    return isHeard
  }

  private func discardInput() {
    incoming = []
    lineCount = 0
    list = nil
    running = nil
    pending = nil
  }

  private func answer(_ pending: PendingAnswer) -> Bool {
    var answer = ControlAnswer()
    do throws(ControlRefusal) {
      let progress = try pending.step(&answer)
      if let file = answer.passed { client.send(answer.text, passing: file) } else { client.send(answer.text) }
      guard !client.isLeaving else { return true }
      self.pending?.isFlowing = progress == .more
      guard progress == .done else { return progress == .more }
      self.pending = nil
      if running == nil { client.send("OK\n") } else { finishListCommand() }
    } catch {
      (self.pending, running) = (nil, nil)
      client.send(error.line(to: pending.name, at: pending.index))
    }
    return true
  }

  private func process(_ line: ArraySlice<UInt8>) {
    // Other first bytes belong to another protocol.
    guard let first = line.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return client.leave() }
    if line.elementsEqual("noidle".utf8) {
      if list == nil { client.endIdle() }
      return
    }
    if client.awaitsChanges { return client.leave() }
    if list != nil { return appendToList(line) }
    if line.elementsEqual("command_list_begin".utf8) {
      list = CommandList(confirmsEach: false)
    } else if line.elementsEqual("command_list_ok_begin".utf8) {
      list = CommandList(confirmsEach: true)
    } else if execute(line, at: 0, inList: false) == .done, !client.isLeaving {
      client.send("OK\n")
    }
  }

  private func appendToList(_ line: ArraySlice<UInt8>) {
    if line.elementsEqual("command_list_end".utf8) {
      running = list
      list = nil
    } else {
      list?.lines.append(Array(line))
      list?.byteCount += line.count + 64
      if let list, list.lines.count > Self.maxListCount || list.byteCount > Self.maxListBytes { client.leave() }
    }
  }

  private func runNext() {
    guard let list = running else { return }
    guard list.next < list.lines.count else {
      running = nil
      return client.send("OK\n")
    }
    let outcome = execute(list.lines[list.next][...], at: list.next, inList: true)
    guard outcome != .refused, !client.isLeaving else {
      running = nil
      return
    }
    if outcome == .done { finishListCommand() }
  }

  private func finishListCommand() {
    if running?.confirmsEach == true { client.send("list_OK\n") }
    running?.next += 1
  }

  private enum Outcome {
    case done, deferred, refused
  }

  private func execute(_ line: ArraySlice<UInt8>, at index: Int, inList: Bool) -> Outcome {
    var name = ""
    do throws(ControlRefusal) {
      let request = try ControlRequest(line)
      if commands.rows[request.name] != nil { name = request.name }
      if inList, request.name == "idle" { throw ControlRefusal(.unknown, "idle cannot be part of a list") }
      let answer = try commands.run(request, for: client)
      client.send(answer.text)
      guard let rest = answer.rest else { return answer.isDeferred ? .deferred : .done }
      if !client.isLeaving { pending = PendingAnswer(rest, to: name, at: index) }
      return .deferred
    } catch {
      client.send(error.line(to: name, at: index))
      return .refused
    }
  }
}
