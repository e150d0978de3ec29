import Control
import Glibc
import Panel
import Rooms
import Settings
import System
import Units

/// The rooms of the snapserver that the settings name, for the panel and for clients. The control thread's.
final class RoomKeeper: RoomControl {
  /// Whether the box has rooms to show.
  let isOn: Bool
  private(set) var list = RoomList()
  private let server: ServerAddress?
  private let link: RoomsLink?
  private var news = RoomsLink.News()
  /// Why the last order was refused; nil where it was not.
  private var refusal: String?
  /// Why there is no thread for it.
  private var threadError: ThreadError?

  /// Looks for the server, where the sound goes to it or comes from it. `wake` is given a descriptor that can be read
  /// when there is news (`bk_watch`).
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

  /// Whether the server is there.
  var isConnected: Bool { news.isConnected }

  /// Why the server is not there; nil where it is, or nothing is known yet.
  var fault: RoomFault? { news.fault }

  var absence: String? {
    guard !news.isConnected else { return nil }
    if let threadError { return threadError.description }
    guard let server else { return "There are no rooms." }
    return news.fault?.sentence(server) ?? "The snapserver at \(server) has not answered yet."
  }

  /// The rooms as the panel shows them.
  var panelRooms: [PanelRoom] {
    list.rooms.map {
      PanelRoom(
        number: $0.number, name: $0.name, isConnected: $0.isConnected, volume: $0.volume, isMuted: $0.isMuted)
    }
  }

  /// Takes what is new of the server; whether rooms or what they play are others now.
  func takeNews() -> Bool {
    guard let new = link?.take(), new != news else { return false }
    if let server {
      if new.isConnected, !news.isConnected { log(.notice, "The snapserver at \(server) is there.") }
      if let fault = new.fault, fault != news.fault { log(.warning, fault.sentence(server)) }
    }
    news = new
    list = new.list
    return true
  }

  func give(_ order: RoomOrder) -> Bool {
    guard let link, link.give(order) else { return false }
    list = list.with(order)
    return true
  }

  /// Does what the panel asks of a room; false where that cannot be now, nil where it asks for something else.
  func obey(_ order: PanelOrder) -> Bool? {
    switch order {
    case .room(let number, let volume): change(list[number], volume: volume)
    case .muteRoom(let number, let isMuted): change(list[number], isMuted: isMuted)
    default: nil
    }
  }

  /// Sets a room; false where that cannot be, or there is none. The log has the reason, once.
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

  /// Has its thread end, and waits for nothing.
  func stop() { link?.stop() }

  /// Ends its thread, in a second at most from `stop` on.
  func finish() { link?.finish(within: Duration(milliseconds: 1_000)) }
}

extension RoomFault {
  /// What happened to a server, and what is done about it.
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
