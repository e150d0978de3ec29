import Http
import Network
import RadioEngine
import System
import Units

/// The objects that the commands of all clients share. Control thread only.
public final class ControlContext {
  let clients: ClientRoster
  let directory = DirectoryBrowser()
  /// The rooms of a Snapcast server; nil without rooms.
  private(set) weak var rooms: (any RoomControl)?
  /// The recordings folder; nil without one.
  private(set) var recordings: RecordingShelf?
  /// The update of the station directory; nil if the radio is not a box.
  private(set) weak var updates: (any DirectoryControl)?
  /// The player of the commands.
  public private(set) var player: PlayerController
  /// The reason for refusing commands that need a radio; nil with a radio.
  private(set) var absence: String?
  private(set) var moreStatus: (inout ControlAnswer) -> Void = { _ in }
  private let station: (String) -> StationRequest?

  /// Creates the context of a player. `station` returns the request for a client's address; nil if not playable.
  public init(
    _ player: PlayerController, _ access: ControlAccess = ControlAccess(), clock: Clock = .machine,
    station: @escaping (String) -> StationRequest? = ControlContext.webStation
  ) {
    self.player = player
    self.station = station
    clients = ClientRoster(access) { clock.now() }
  }

  /// Sets the player, for example after the sound card returned; the leases stay. `absence`: the reason if nothing can
  /// be played. Then commands that need a radio are refused.
  public func use(_ player: PlayerController, absence: String? = nil) {
    player.device.adoptLeases(self.player.device)
    self.player = player
    self.absence = absence
  }

  /// Sets the rooms of a Snapcast server; nil for none. The owner retains them.
  public func use(rooms: (any RoomControl)?) { self.rooms = rooms }

  /// Sets the recordings folder for clients. Call before the server is created.
  public func use(recordings path: String) { recordings = RecordingShelf(path) }

  /// Sets the update of the station directory. The owner retains it.
  public func use(updates: any DirectoryControl) { self.updates = updates }

  /// Sets a function that adds lines to `radio_status`, such as levels and panel.
  public func addStatus(_ more: @escaping (inout ControlAnswer) -> Void) { moreStatus = more }

  /// Sets the source of the station directory; each call of `source` starts to open the file.
  public func browse(_ source: @escaping () -> DirectoryState) {
    directory.use(source) { [clients] in clients.notify([.database]) }
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
      _ = try WebAddress(written: StationAddress(address))
      return StationRequest(url: address)
    } catch {
      return nil
    }
  }
}
