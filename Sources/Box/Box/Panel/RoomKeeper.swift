import Control
import Glibc
import Panel
import Rooms
import Settings
import System
import Units

/// The rooms of the snapserver in the settings, for the panel and for clients. Control thread only.
final class RoomKeeper: RoomControl {
  /// True if the settings use a snapserver, for output or as a room.
  let isOn: Bool
  private(set) var list = RoomList() { didSet { panelRooms = list.rooms.map { PanelRoom($0) } } }
  /// The rooms for the panel, made once for each list, because the panel reads them in each iteration.
  private(set) var panelRooms: [PanelRoom] = []
  private let server: ServerAddress?
  private let link: RoomsLink?
  private(set) var news = RoomsLink.News()
  /// The refusal logged last, so that the log has each reason once.
  private var refusal: String?
  private var threadError: ThreadError?

  /// Connects if the box plays to a snapserver or is a room. `wake` receives a descriptor that is readable after a
  /// change.
  init(_ configuration: Configuration, _ clock: Clock, wake: (Int32) -> Void) {
    server = configuration.audio.output == .alsa ? nil : configuration.snapcast.server
    isOn = server != nil
    do throws(ThreadError) {
      link = if let server { try RoomsLink(server, clock) } else { nil }
    } catch {
      (link, threadError) = (nil, error)
      log(.warning, error.description)
    }
    if let link { wake(link.descriptor) }
  }

  var absence: String? {
    guard !news.isConnected else { return nil }
    if let threadError { return threadError.description }
    guard let server else { return "There are no rooms." }
    return news.fault?.sentence(server) ?? "The snapserver at \(server) has not answered yet."
  }

  /// Adopts the link's new state. Returns true if the rooms or their programme changed.
  func updateNews() -> Bool {
    guard let new = link?.currentNews(), new != news else { return false }
    if let server {
      if new.isConnected, !news.isConnected { log(.notice, "The snapserver at \(server) is connected.") }
      if let fault = new.fault, fault != news.fault { log(.warning, fault.sentence(server)) }
    }
    news = new
    list = new.list
    return true
  }

  func send(_ order: RoomOrder) -> Bool {
    guard let link, link.send(order) else { return false }
    list = list.with(order)
    return true
  }

  /// Applies a panel command for a room. Returns false on failure; nil if the command is for another part.
  func apply(_ order: PanelOrder) -> Bool? {
    switch order {
    case .room(let number, let volume): change(list[number], volume: volume)
    case .muteRoom(let number, let isMuted): change(list[number], isMuted: isMuted)
    default: nil
    }
  }

  /// Sets a room. Returns false on failure, or if `room` is nil; the log has each reason once.
  func change(_ room: Room?, volume: Int? = nil, isMuted: Bool? = nil) -> Bool {
    guard let room else { return false }
    do throws(ControlRefusal) { try set(room, volume: volume, isMuted: isMuted) } catch {
      if error.message != refusal { log(.info, error.message) }
      refusal = error.message
      return false
    }
    refusal = nil
    return true
  }

  /// Starts to end the thread; does not wait.
  func stop() { link?.stop() }

  /// Waits for the thread's end, at most 1 s from `stop`.
  func finish() { link?.finish(within: Duration(milliseconds: 1_000)) }
}

extension PanelRoom {
  fileprivate init(_ room: Room) {
    self.init(
      number: room.number, name: room.name, isConnected: room.isConnected, volume: room.volume, isMuted: room.isMuted)
  }
}

extension RoomFault {
  func sentence(_ server: ServerAddress) -> String {
    switch self {
    case .unknownHost(let code):
      "The snapserver \(server.host) has no address (\(String(cString: gai_strerror(code)))); trying again."
    case .unreachable(let errno): "The snapserver at \(server) cannot be reached (\(errnoText(errno))); trying again."
    case .closed: "The snapserver at \(server) ended the connection; trying again."
    case .silent: "The snapserver at \(server) does not answer; trying again."
    case .garbled: "What is at \(server) speaks otherwise than a snapserver does; check [snapcast] server."
    case .tooLarge: "The snapserver at \(server) has more rooms than are read; remove clients that are gone."
    }
  }
}
