import Http
import Network
import RadioEngine
import System
import Units

/// The shared state of all control-protocol clients: the player, and the table of commands. Control thread only.
public final class RadioCommands {
  /// Facts about the program and its output.
  public struct Facts: Sendable {
    /// The program's version.
    public var version: String
    /// The name of the output.
    public var outputName = "Bakelite"
    /// The kind of output: "alsa", "null", "raw" or "wav".
    public var outputKind = "alsa"

    /// Creates facts with a version.
    public init(version: String) { self.version = version }
  }

  /// Facts about the program.
  public let facts: Facts
  let clients: ClientRoster
  private(set) var directory = DirectoryBrowser()
  /// The rooms of a Snapcast server; nil without rooms.
  public weak var rooms: (any RoomControl)?
  /// The player of the commands.
  public private(set) var player: PlayerController
  private(set) var table: [String: ControlCommand] = [:]
  private var absence: String?
  private var moreStatus: (inout ControlAnswer) -> Void = { _ in }
  private let station: (String) -> StationRequest?

  /// Creates the commands of a player. `station` returns the request for a client's address; nil if not playable.
  public init(
    _ player: PlayerController, _ facts: Facts, _ access: ControlAccess = ControlAccess(),
    clock: Clock = .machine, station: @escaping (String) -> StationRequest? = RadioCommands.webStation
  ) {
    self.player = player
    self.facts = facts
    clients = ClientRoster(access) { clock.now() }
    self.station = station
    for row in Self.tables.joined() { table[row.name] = row }
  }

  /// Sets the player, for example after the sound card returned; the leases stay. `absence`: the reason if nothing can
  /// be played. Then commands that need a radio are refused.
  public func use(_ player: PlayerController, absence: String? = nil) {
    player.device.adoptLeases(self.player.device)
    (self.player, self.absence) = (player, absence)
  }

  /// Sets the source of the station directory; each call of `source` starts to open the file.
  public func browse(_ source: @escaping () -> DirectoryState) {
    directory.use(source) { [unowned self] in notify([.database]) }
  }

  /// Returns the request for a client's address; nil if invalid or not playable. An address from the directory, or with
  /// a `reach`, must not lead into the owner's networks.
  func request(for address: String, _ reach: AddressPolicy? = nil) throws(ControlRefusal) -> StationRequest? {
    guard address.hasPrefix("/") || address.contains("://"), var request = station(address) else { return nil }
    request.reach = reach ?? self.reach(of: address)
    guard request.reach.allows(request.url) else { throw .outsideReach }
    // The queue may show another form of the directory's address, for example without its fragment.
    if request.reach != .anywhere { directory.record(request.url.description) }
    // An address outside presets and directory may be a file of a list.
    let isPreset = player.presets.presets.contains { $0.request.url == request.url }
    request.mayBeItem = request.reach == .anywhere && !isPreset
    return request
  }

  /// Returns the networks that an address may lead to: the limit of the queue or a preset, or else of the directory.
  func reach(of address: String) -> AddressPolicy {
    let queued = player.queue.stations.first { $0.address == address && $0.request.reach != .anywhere }
    let preset = player.presets.presets.first { $0.request.url.description == address && $0.request.reach != .anywhere }
    return queued?.request.reach ?? preset?.request.reach ?? directory.reach(of: address)
  }

  /// Returns the request for an HTTP or HTTPS address; nil for any other address.
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
      OutputCommands.rows, ConnectionCommands.rows, MessageCommands.rows, BrowseCommands.rows, FindCommands.rows,
      DatabaseCommands.rows, PlaylistCommands.rows, StationCommands.rows, GuestCommands.rows, RoomCommands.rows,
      RecordingCommands.rows,
    ]
  }

  /// Adds a command, replacing one with the same name.
  public func add(_ command: ControlCommand) { table[command.name] = command }

  /// Allows commands without a radio, because they do not need it.
  public func allowWithoutRadio(_ names: [String]) { for name in names { table[name]?.needsRadio = false } }

  /// Refuses commands without a radio. For a box that never has a radio.
  public func refuseWithoutRadio(_ names: [String]) { for name in names { table[name]?.needsRadio = true } }

  /// Sets a function that adds lines to `radio_status`, such as levels and panel.
  public func addStatus(_ more: @escaping (inout ControlAnswer) -> Void) { moreStatus = more }

  func addMoreStatus(to answer: inout ControlAnswer) { moreStatus(&answer) }

  var rows: [ControlCommand] { table.values.sorted { $0.name < $1.name } }

  /// The table of commands in Markdown.
  public var document: String {
    let lines = rows.map { row in
      let usage = row.usage.isEmpty ? "" : " " + row.usage.map { $0 == "|" ? "\\|" : "\($0)" }.joined()
      return "| `\(row.name)\(usage)` | \(row.permission.name) | \(row.summary) |\n"
    }
    return "| command | needs | does |\n|---|---|---|\n" + lines.joined()
  }

  // MARK: Clients

  /// Registers a client of the Unix socket, or of TCP with its address group.
  public func open(isLocal: Bool, address: String? = nil) -> ControlSession {
    let session = ControlSession(self, isLocal: isLocal, address: address)
    clients.add(session)
    return session
  }

  /// Removes a client.
  public func close(_ session: ControlSession) { clients.remove(session) }

  func expireLeases() { player.device.expire(at: clients.now()) }

  /// Notifies waiting clients of changes. Call from the player's `onChange`.
  public func notify(_ changes: Set<Subsystem>) { clients.notify(changes) }

  // MARK: Commands

  func run(_ request: ControlRequest, for session: ControlSession) throws(ControlRefusal) -> ControlAnswer {
    guard let row = table[request.name] else {
      throw ControlRefusal(.unknown, "unknown command \"\(request.name)\"")
    }
    guard session.may(row) else {
      throw ControlRefusal(.permission, "you don't have permission for \"\(row.name)\"")
    }
    try row.check(request.arguments.count)
    if let absence, row.needsRadio { throw ControlRefusal(.system, absence) }
    var call = ControlCall(request.arguments, session, self)
    try row.work(&call)
    return call.answer
  }
}
