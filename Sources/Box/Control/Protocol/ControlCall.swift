import Units

/// A command in execution: its client, arguments, and reply so far.
public struct ControlCall {
  /// The arguments after the command's name; their count fits the command's row in the table.
  public let arguments: [String]
  /// The reply so far.
  public var answer = ControlAnswer()
  let client: ClientState
  let context: ControlContext

  /// The player that the command acts on.
  public var player: PlayerController { context.player }

  /// True if the client connected over the Unix socket.
  public var isLocal: Bool { client.isLocal }

  /// Refuses clients that did not connect over the Unix socket.
  public func requireLocal() throws(ControlRefusal) {
    guard isLocal else { throw ControlRefusal(.permission, "Command only permitted to local clients") }
  }

  /// Returns true if the station directory sent the address to a client.
  ///
  /// - Throws: `.outsideReach` if the address leads into a network that the directory must not reach.
  public func isFromDirectory(_ address: String) throws(ControlRefusal) -> Bool {
    let reach = context.reach(of: address)
    guard reach.allows(StationAddress(address)) else { throw .outsideReach }
    return reach != .anywhere
  }

  /// Records a directory address that is sent to the client.
  public func recordDirectoryAddress(_ address: String) { context.directory.record(address) }

  init(_ arguments: [String], _ client: ClientState, _ context: ControlContext) {
    self.arguments = arguments
    self.client = client
    self.context = context
  }

  // MARK: Reading arguments

  /// The argument at an index; nil if missing.
  public subscript(index: Int) -> String? { arguments.indices.contains(index) ? arguments[index] : nil }

  /// Returns the argument at an index as an integer. `outside`: the error message if the number is outside `range`; nil
  /// for MPD's message.
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

  /// Returns the argument at an index as a decimal number, such as seconds.
  public func figure(_ index: Int) throws(ControlRefusal) -> Double {
    guard let value = Double(arguments[index]), !arguments[index].hasPrefix("0x") else {
      throw ControlRefusal(.argument, "Float expected: \(arguments[index])")
    }
    return value
  }

  /// Parses a time in seconds, from 0; limited to 1e9.
  func time(_ index: Int) throws(ControlRefusal) -> Double {
    let value = try figure(index)
    guard value >= 0 else { throw ControlRefusal(.argument, "Negative value not allowed: \(arguments[index])") }
    return min(value, 1e9)
  }

  func flag(_ index: Int) throws(ControlRefusal) -> Bool {
    switch arguments[index] {
    case "0": return false
    case "1": return true
    case let other: throw ControlRefusal(.argument, "Boolean (0/1) expected: \(other)")
    }
  }

  /// Parses positions: "3", "2:5", "2:", or "-1" for all. An open range ends at `open`.
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

  /// Parses positions in the queue. Cuts the range at the end of the queue; throws if the range starts after it.
  func positions(_ index: Int) throws(ControlRefusal) -> Range<Int> { try within(queue: try range(index)) }

  /// Parses positions to delete. Refuses "-1", because it would delete the whole queue.
  func positionsToDelete(_ index: Int) throws(ControlRefusal) -> Range<Int> {
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

  /// Returns the position of the station whose id is the argument at an index.
  func position(ofID index: Int) throws(ControlRefusal) -> Int {
    guard let position = player.queue.position(of: try integer(index)) else { throw .noSong }
    return position
  }

  /// Parses an insertion position: absolute, or "+N", "-N" relative to the current station.
  func insertion(_ index: Int) throws(ControlRefusal) -> Int {
    try place(index, current: player.current.flatMap { player.queue.position(of: $0.id) }, count: player.queue.count)
  }

  /// Parses the destination of a move, counted without the moved stations.
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
