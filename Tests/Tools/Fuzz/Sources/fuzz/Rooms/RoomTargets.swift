import Json
import Units

@testable import Rooms

/// Reads any bytes from a Snapcast server, after a status with three rooms and with pending commands.
final class RoomReading: FuzzTarget {
  static let name = "rooms"
  static let longest = 8_192
  private static let client =
    #"{"config":{"name":"B","volume":{"muted":false,"percent":7}},"connected":true,"host":{"name":"h"},"id":"b"}"#
  static let seeds = [
    #"{"id":1,"result":{"server":{"groups":[{"clients":[\#(client)],"id":"g","muted":true,"stream_id":"s"}],"#
      + #""streams":[{"id":"s","status":"playing","properties":{"playbackStatus":"paused","metadata":"#
      + #"{"title":"T","artist":["A"],"album":"S"}}}]}}}"#,
    #"{"method":"Client.OnConnect","params":{"client":\#(client),"id":"b"}}"# + "\n"
      + #"{"method":"Client.OnVolumeChanged","params":{"id":"a","volume":{"muted":true,"percent":101.5}}}"#,
    #"{"method":"Client.OnNameChanged","params":{"id":"a","name":"\u0001\u200f"}}"# + "\n"
      + #"{"method":"Group.OnMute","params":{"id":"g","mute":true}}"#,
    #"{"method":"Group.OnStreamChanged","params":{"id":"g","stream_id":"t"}}"# + "\n"
      + #"{"method":"Client.OnDisconnect","params":{"client":\#(client)}}"#,
    #"{"method":"Stream.OnProperties","params":{"id":"s","properties":{"metadata":{"name":"N","artist":"A"}}}}"#,
    #"{"method":"Stream.OnUpdate","params":{"id":"s","stream":{"id":"s"}}}"# + "\n"
      + #"{"method":"Server.OnUpdate","params":{"server":{"groups":[]}}}"#,
    #"{"id":2,"result":{"volume":{"muted":true,"percent":4}}}"# + "\n" + #"{"id":2,"error":{}}"#,
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    var (conversation, orders, buffer) = (RoomConversation(), RoomOrders(), LineBuffer(longest: RoomMessage.maxLength))
    conversation.begin()
    _ = conversation.next(&orders, at: .zero)
    let clients = ["a", "b", "c"].map { Self.client.replacing("\"id\":\"b\"", "\"id\":\"\($0)\"") }
    let status =
      #"{"id":1,"result":{"server":{"groups":[{"id":"g","clients":[\#(clients.joined(separator: ","))]}],"#
      + #""streams":[{"id":"s"}]}}}"#
    expect((try? conversation.process(Array(status.utf8))) == true, "a status is taken")
    for id in ["a", "b\"", "c"] { _ = orders.add(RoomOrder(id, volume: 50, isMuted: true)) }
    var now = MonotonicTime.zero
    buffer.append(bytes)
    buffer.append([UInt8(ascii: "\n")].span)
    while let line = try? buffer.next() {
      now = now + Duration(milliseconds: 400)
      if let request = conversation.next(&orders, at: now) {
        expect(request.hasSuffix("\r\n") && request.utf8.allSatisfy { $0 < 0x7F }, "a request is a line of ASCII")
        expect((try? JsonValue(Array(request.utf8).span)) != nil, "a request is JSON")
      }
      guard (try? conversation.process(line)) != nil else { break }
      check(conversation.list)
    }
  }

  private func check(_ list: RoomList) {
    expect(list.rooms.count <= RoomList.maxRooms, "rooms are bounded")
    expect(Set(list.rooms.map(\.number)).count == list.rooms.count, "each has a number of its own")
    for room in list.rooms {
      expect(
        (1...RoomList.maxRooms).contains(room.number) && (0...100).contains(room.volume), "numbers have their range")
      expect((1...40).contains(room.name.unicodeScalars.count), "a name has its measure")
      let stream = list.stream(of: room)
      for text in [room.name, room.host, stream?.title ?? "", stream?.artist ?? "", stream?.station ?? ""] {
        expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }, "it is clean")
      }
    }
  }
}

extension String {
  fileprivate func replacing(_ part: String, _ other: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    return String(self[..<range.lowerBound]) + other + self[range.upperBound...]
  }
}
