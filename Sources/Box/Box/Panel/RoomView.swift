import Control
import Panel
import Rooms
import Units

enum RoomView {
  /// Creates the panel's view of a room. `room`: nil if the snapserver has no room for this machine.
  static func view(_ room: Room?, _ rooms: RoomKeeper) -> PanelView {
    var view = PanelView()
    view.version = Version.text
    view.room = room?.name ?? ""
    if !rooms.news.isConnected, rooms.news.fault == nil { view.bootStage = .starting }
    view.fault = fault(room, rooms)
    guard let room else { return view }
    (view.volume, view.isMuted) = (room.volume, room.isMuted)
    guard let stream = rooms.list.stream(of: room), view.fault == nil else {
      view.station = room.name
      return view
    }
    view.state = stream.isPlaying ? .playing : stream.playback == .paused ? .paused : .stopped
    view.isAudible = stream.isPlaying
    view.station = stream.name
    (view.artist, view.title) = (stream.artist, stream.title)
    return view
  }

  private static func fault(_ room: Room?, _ rooms: RoomKeeper) -> PanelFault? {
    switch rooms.news.fault {
    case .garbled, .tooLarge: .snapserverStrange
    case .unknownHost, .unreachable, .closed, .silent: .snapserverGone
    case nil: rooms.news.isConnected && room?.isConnected != true ? .snapclientGone : nil
    }
  }

  static func writeStatus(_ room: Room?, _ rooms: RoomKeeper, _ answer: inout ControlAnswer) {
    let stream = room.flatMap { rooms.list.stream(of: $0) }
    answer.add([
      "room": room?.name, "room_connected": room?.isConnected ?? false,
      "stream": stream?.id, "stream_playing": stream?.isPlaying ?? false, "stream_station": stream?.station,
      "stream_artist": stream?.artist, "stream_title": stream?.title, "problem": rooms.absence,
    ])
  }
}
