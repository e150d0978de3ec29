import Units

/// A command being carried out: who asks for what, and the answer so far.
public struct ControlCall {
  /// What stands behind the command's name; as many as its row of the table allows.
  public let arguments: [String]
  /// What is answered.
  public var answer = ControlAnswer()
  /// The client who asks.
  let session: ControlSession
  /// What all clients share.
  let commands: RadioCommands

  /// What the command acts on.
  public var player: PlayerController { commands.player }

  /// Whether the client came over the Unix socket.
  public var isLocal: Bool { session.isLocal }

  /// Refuses a client who did not come over the Unix socket.
  public func requireLocal() throws(ControlRefusal) {
    guard isLocal else { throw ControlRefusal(.permission, "Command only permitted to local clients") }
  }

  /// Whether a client was told an address from the station directory.
  ///
  /// - Throws: `.outsideReach` where it leads into a network that the directory may not lead to.
  public func isFromDirectory(_ address: String) throws(ControlRefusal) -> Bool {
    let reach = commands.reach(of: address)
    guard reach.allows(StationAddress(address)) else { throw .outsideReach }
    return reach != .anywhere
  }

  /// The client is told an address of the station directory.
  public func noteFromDirectory(_ address: String) { commands.directory.note(address) }

  init(_ arguments: [String], _ session: ControlSession, _ commands: RadioCommands) {
    self.arguments = arguments
    self.session = session
    self.commands = commands
  }

  // MARK: Reading arguments

  /// The argument at an index, where there is one.
  public subscript(index: Int) -> String? { arguments.indices.contains(index) ? arguments[index] : nil }

  /// The argument at an index as a whole number; `outside` says what is allowed, where that is more than MPD says.
  public func integer(
    _ index: Int, in range: ClosedRange<Int> = 0...Int(Int32.max), outside: String? = nil
  ) throws(ControlRefusal) -> Int {
    try Self.integer(arguments[index], in: range, outside: outside)
  }

  static func integer(
    _ text: String, in range: ClosedRange<Int>, outside: String? = nil
  ) throws(ControlRefusal) -> Int {
    let hasSign = text.utf8.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } == true
    let body = text.utf8.dropFirst(hasSign ? 1 : 0)
    guard !body.isEmpty, body.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      throw ControlRefusal(.argument, "Integer expected: \(text)")
    }
    guard let number = Int(text), range.contains(number) else {
      throw ControlRefusal(.argument, outside ?? "Number too large: \(text)")
    }
    return number
  }

  /// The argument at an index as seconds or another figure.
  public func figure(_ index: Int) throws(ControlRefusal) -> Double {
    guard let value = Double(arguments[index]), !arguments[index].hasPrefix("0x") else {
      throw ControlRefusal(.argument, "Float expected: \(arguments[index])")
    }
    return value
  }

  /// The argument at an index as a moment: seconds from 0 up.
  func moment(_ index: Int) throws(ControlRefusal) -> Double {
    let value = try figure(index)
    guard value >= 0 else { throw ControlRefusal(.argument, "Negative value not allowed: \(arguments[index])") }
    return min(value, 1e9)
  }

  /// The argument at an index as yes or no.
  func flag(_ index: Int) throws(ControlRefusal) -> Bool {
    switch arguments[index] {
    case "0": return false
    case "1": return true
    case let other: throw ControlRefusal(.argument, "Boolean (0/1) expected: \(other)")
    }
  }

  /// The argument at an index as positions: "3", "2:5", "2:" or "-1" for all. The end lies beyond none but `open`.
  func range(_ index: Int) throws(ControlRefusal) -> Range<Int> {
    let text = arguments[index]
    if text == "-1" { return 0..<Self.open }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    func number(_ text: String) throws(ControlRefusal) -> Int {
      guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
        throw ControlRefusal(.argument, "Integer or range expected: \(arguments[index])")
      }
      guard let number = Int(text), number < Self.open else {
        throw ControlRefusal(.argument, "Number too large: \(arguments[index])")
      }
      return number
    }
    let start = try number(parts[0])
    guard parts.count == 2 else { return start..<start + 1 }
    let end = parts[1].isEmpty ? Self.open : try number(parts[1])
    guard start <= end else { throw ControlRefusal(.argument, "Malformed range: \(text)") }
    return start..<end
  }

  /// The same within the queue; a range may end beyond it, and may not begin there.
  func positions(_ index: Int) throws(ControlRefusal) -> Range<Int> { try within(queue: try range(index)) }

  /// The same of stations that are to go: "-1" is a slip there, and not all of them.
  func doomedPositions(_ index: Int) throws(ControlRefusal) -> Range<Int> {
    guard arguments[index] != "-1" else {
      throw ControlRefusal(.argument, "Integer or range expected: -1 (0: is the whole queue)")
    }
    return try positions(index)
  }

  private func within(queue range: Range<Int>) throws(ControlRefusal) -> Range<Int> {
    guard range.lowerBound <= player.queue.count else { throw .badIndex }
    return range.clamped(to: 0..<player.queue.count)
  }

  private static let open = Int(Int32.max)

  // MARK: Stations

  /// The position of the station whose id is the argument at an index.
  func position(ofID index: Int) throws(ControlRefusal) -> Int {
    guard let position = player.queue.position(of: try integer(index)) else { throw .noSong }
    return position
  }

  /// Where the argument at an index says that a station goes: a position, or "+N", "-N" seen from the current one.
  func insertion(_ index: Int) throws(ControlRefusal) -> Int {
    try place(index, current: player.current.flatMap { player.queue.position(of: $0.id) }, count: player.queue.count)
  }

  /// The same where stations are moved, which are not counted then.
  func destination(_ index: Int, moving positions: Range<Int>) throws(ControlRefusal) -> Int {
    var current = player.current.flatMap { player.queue.position(of: $0.id) }
    let isRelative = arguments[index].hasPrefix("+") || arguments[index].hasPrefix("-")
    if isRelative, let place = current, positions.contains(place) {
      throw ControlRefusal(.argument, "Cannot move current song relative to itself")
    }
    if let place = current, positions.upperBound <= place { current = place - positions.count }
    return try place(index, current: current, count: player.queue.count - positions.count)
  }

  private func place(_ index: Int, current: Int?, count: Int) throws(ControlRefusal) -> Int {
    let text = arguments[index]
    guard text.hasPrefix("+") || text.hasPrefix("-") else { return try integer(index, in: 0...max(0, count)) }
    guard let current else { throw ControlRefusal(.notPlaying, "No current song") }
    let step = String(text.dropFirst())
    if text.hasPrefix("-") { return current - (try Self.integer(step, in: 0...current)) }
    return current + 1 + (try Self.integer(step, in: 0...max(0, count - current - 1)))
  }
}
