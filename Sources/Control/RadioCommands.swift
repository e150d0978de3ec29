import Network
import Radio
import System
import Units

/// All that clients of the control protocol share: the player that they act on, the table of commands, who may do what,
/// and the clients themselves. The control thread's.
public final class RadioCommands {
  /// What is told of the program and its sound.
  public struct Facts: Sendable {
    /// The program's version.
    public var version: String
    /// What the output is called.
    public var outputName = "Bakelite"
    /// What kind of output it is: "alsa", "null", "raw" or "wav".
    public var outputKind = "alsa"

    /// Facts of a version.
    public init(version: String) { self.version = version }
  }

  /// What the commands act on; another one where the sound card, and the radio with it, was made anew.
  public var player: PlayerController
  /// Why nothing can be played for now, as a sentence; then all commands that would change something are refused.
  public var absence: String?
  /// What is told of the program.
  public let facts: Facts
  /// Who may do what.
  public let access: ControlAccess
  /// Adds what others know to `radio_status`: levels, panel, and so on.
  public var moreStatus: (inout ControlAnswer) -> Void = { _ in }
  /// How an address is tuned to; nil for one that is not played.
  let station: (String) -> StationRequest?
  private(set) var table: [String: ControlCommand] = [:]
  /// The same, in the order of their names.
  var rows: [ControlCommand] { table.values.sorted { $0.name < $1.name } }
  private(set) var sessions: [ControlSession] = []
  private var passwordGuard = PasswordGuard()
  /// The time on which clients have to wait.
  var now: () -> MonotonicTime
  /// Whether something was told to clients who did not ask just now; the server resets it.
  var hasNews = false

  /// The protocol over a player. `station` says how an address that a client gives is tuned to; nil: it is not played.
  public init(
    _ player: PlayerController, _ facts: Facts, _ access: ControlAccess = ControlAccess(),
    clock: Clock = .machine, station: @escaping (String) -> StationRequest? = RadioCommands.webStation
  ) {
    self.player = player
    self.facts = facts
    self.access = access
    now = { clock.now() }
    self.station = station
    for row in Self.tables.joined() { table[row.name] = row }
  }

  /// What is played of what clients ask for, unless the owner says otherwise: http and https.
  public static func webStation(_ address: String) -> StationRequest? {
    let scheme = address.prefix { $0 != ":" }.lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    do throws(NetworkError) {
      _ = try WebAddress(address)
      return StationRequest(url: address)
    } catch {
      return nil
    }
  }

  private static var tables: [[ControlCommand]] {
    [
      PlaybackCommands.rows, OptionCommands.rows, QueueCommands.rows, QueueListCommands.rows, StatusCommands.rows,
      OutputCommands.rows, ConnectionCommands.rows, MessageCommands.rows, DatabaseCommands.rows, PlaylistCommands.rows,
      StationCommands.rows, RecordingCommands.rows,
    ]
  }

  /// Adds a command to the table; one of the same name is replaced.
  public func add(_ command: ControlCommand) { table[command.name] = command }

  /// The table in Markdown, a row for each command.
  public var document: String {
    let lines = rows.map { row in
      let usage = row.usage.isEmpty ? "" : " " + row.usage.map { $0 == "|" ? "\\|" : "\($0)" }.joined()
      return "| `\(row.name)\(usage)` | \(row.permission.name) | \(row.summary) |\n"
    }
    return "| command | needs | does |\n|---|---|---|\n" + lines.joined()
  }

  // MARK: Clients

  /// A client came, over the Unix socket or from an address.
  public func open(isLocal: Bool, address: String? = nil) -> ControlSession {
    let session = ControlSession(self, isLocal: isLocal, address: address)
    sessions.append(session)
    return session
  }

  /// The seconds for which an address may try no password; nil where it may.
  func waitForPassword(_ address: String?) -> Int? { address.flatMap { passwordGuard.wait($0, at: now()) } }

  /// Notes a password that was right or wrong.
  func notePassword(isRight: Bool, _ address: String?) {
    guard let address else { return }
    if isRight { passwordGuard.succeed(address, at: now()) } else { passwordGuard.fail(address, at: now()) }
  }

  /// A client is gone.
  public func close(_ session: ControlSession) {
    sessions.removeAll { $0 === session }
    if !session.channels.isEmpty { note([.subscription]) }
  }

  /// Tells those who wait for it what changed; the player's `onChange` comes here.
  public func note(_ changes: Set<Subsystem>) {
    for session in sessions { session.note(changes) }
  }

  /// Tells an event, a line of JSON, to those who follow events.
  public func tell(_ event: String) {
    for session in sessions where session.hearsEvents {
      hasNews = true
      session.send(event + "\n")
    }
  }

  // MARK: Commands

  /// Carries out one command of a client.
  func run(_ request: ControlRequest, for session: ControlSession) throws(ControlRefusal) -> ControlAnswer {
    guard let row = table[request.name] else {
      throw ControlRefusal(.unknown, "unknown command \"\(request.name)\"")
    }
    guard session.may(row) else {
      throw ControlRefusal(.permission, "you don't have permission for \"\(row.name)\"")
    }
    try row.check(request.arguments.count)
    if let absence, !row.permission.isDisjoint(with: [.add, .player, .control]) {
      throw ControlRefusal(.system, absence)
    }
    var call = ControlCall(request.arguments, session, self)
    try row.work(&call)
    return call.answer
  }
}
