import Network
import RadioEngine
import System
import Units

/// All that clients of the control protocol share: the player that they act on, and the table of commands. The control
/// thread's.
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

  /// What is told of the program.
  public let facts: Facts
  /// Who is there, and who may do what.
  let clients: ClientRoster
  /// The station directory, as clients browse it.
  private(set) var directory = DirectoryBrowser()
  /// The rooms of a Snapcast server; nil where the box has none.
  public weak var rooms: (any RoomControl)?
  /// What the commands act on.
  public private(set) var player: PlayerController
  /// Every command, by its name.
  private(set) var table: [String: ControlCommand] = [:]
  /// Why nothing can be played for now, as a sentence.
  private var absence: String?
  private var moreStatus: (inout ControlAnswer) -> Void = { _ in }
  /// How an address is tuned to; nil for one that is not played.
  private let station: (String) -> StationRequest?

  /// The protocol over a player. `station` says how an address that a client gives is tuned to; nil: it is not played.
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

  /// Has the commands act on a player: another one where the sound card, and the radio with it, was made anew.
  /// `absence` is why nothing can be played for now, as a sentence; then all commands that would change something are
  /// refused, except that the sound is lent and taken back.
  /// The programs that have the sound keep it.
  public func use(_ player: PlayerController, absence: String? = nil) {
    player.device.succeed(self.player.device)
    (self.player, self.absence) = (player, absence)
  }

  /// Has clients browse the station directory that `source` gives; asking it has the copy opened.
  public func browse(_ source: @escaping () -> DirectoryState) {
    directory.use(source) { [unowned self] in note([.database]) }
  }

  /// How an address that a client gives is tuned to; nil where it is none, or not played. One that a client was told
  /// from the directory, or that comes with its `reach`, leads into no network of the owner's.
  func request(for address: String, _ reach: Reach? = nil) throws(ControlRefusal) -> StationRequest? {
    guard address.hasPrefix("/") || address.contains("://"), var request = station(address) else { return nil }
    request.reach = reach ?? self.reach(of: address)
    guard request.reach.allows(request.url) else { throw .outsideReach }
    // The queue may tell it otherwise than the directory, such as without its fragment.
    if request.reach != .anywhere { directory.note(request.url.description) }
    // What neither the owner keeps nor the directory has need not be a station.
    let isPreset = player.presets.presets.contains { $0.request.url == request.url }
    request.mayBeItem = request.reach == .anywhere && !isPreset
    return request
  }

  /// Where an address may lead: as the queue or a preset has it, else as a client was told it from the directory.
  func reach(of address: String) -> Reach {
    let queued = player.queue.stations.first { $0.address == address && $0.request.reach != .anywhere }
    let preset = player.presets.presets.first { $0.request.url.description == address && $0.request.reach != .anywhere }
    return queued?.request.reach ?? preset?.request.reach ?? directory.reach(of: address)
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
      OutputCommands.rows, ConnectionCommands.rows, MessageCommands.rows, BrowseCommands.rows, FindCommands.rows,
      DatabaseCommands.rows, PlaylistCommands.rows, StationCommands.rows, GuestCommands.rows, RoomCommands.rows,
      RecordingCommands.rows,
    ]
  }

  /// Adds a command to the table; one of the same name is replaced.
  public func add(_ command: ControlCommand) { table[command.name] = command }

  /// Has commands carried out though there is no radio: they act on something else.
  public func keepWithoutRadio(_ names: [String]) { for name in names { table[name]?.needsRadio = false } }

  /// Has commands refused while there is no radio, on a box that never has one.
  public func refuseWithoutRadio(_ names: [String]) { for name in names { table[name]?.needsRadio = true } }

  /// Has `more` add what others know to `radio_status`: levels, panel, and so on.
  public func addStatus(_ more: @escaping (inout ControlAnswer) -> Void) { moreStatus = more }

  /// Adds that to an answer.
  func addMoreStatus(to answer: inout ControlAnswer) { moreStatus(&answer) }

  /// The commands in the order of their names.
  var rows: [ControlCommand] { table.values.sorted { $0.name < $1.name } }

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
    clients.add(session)
    return session
  }

  /// A client is gone.
  public func close(_ session: ControlSession) { clients.remove(session) }

  /// Ends the leases of the sound whose time is over.
  func expireLeases() { player.device.expire(at: clients.now()) }

  /// Tells those who wait for it what changed; the player's `onChange` comes here.
  public func note(_ changes: Set<Subsystem>) { clients.note(changes) }

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
    if let absence, row.needsRadio { throw ControlRefusal(.system, absence) }
    var call = ControlCall(request.arguments, session, self)
    try row.work(&call)
    return call.answer
  }
}
