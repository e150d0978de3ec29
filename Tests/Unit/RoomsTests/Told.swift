import Json

@testable import Rooms

/// A server's messages in JSON.
enum Told {
  static func value(_ text: String) throws -> JsonValue { try JsonValue(Array(text.utf8).span) }

  static func client(
    _ id: String, name: String = "", host: String = "pi", volume: String = #"{"muted":false,"percent":74}"#,
    connected: String = "true"
  ) -> String {
    #"{"config":{"instance":1,"latency":0,"name":"\#(name)","volume":\#(volume)},"connected":\#(connected),"#
      + #""host":{"arch":"x","ip":"::1","mac":"02:FC:00:00:00:01","name":"\#(host)","os":"y"},"id":"\#(id)"}"#
  }

  static func group(_ id: String, _ clients: [String], muted: String = "false", stream: String = "s") -> String {
    #"{"clients":[\#(clients.joined(separator: ","))],"id":"\#(id)","muted":\#(muted),"name":"","#
      + #""stream_id":"\#(stream)"}"#
  }

  static func stream(_ id: String, status: String = "idle", properties: String = "{}") -> String {
    #"{"id":"\#(id)","properties":\#(properties),"status":"\#(status)","uri":{"raw":"pipe:///x"}}"#
  }

  static func server(_ groups: [String], streams: [String] = []) -> String {
    let (groups, streams) = (groups.joined(separator: ","), streams.joined(separator: ","))
    return #"{"groups":[\#(groups)],"server":{"host":{}},"streams":[\#(streams)]}"#
  }

  /// The reply to `Server.GetStatus`.
  static func status(_ id: Int, _ groups: [String], streams: [String] = []) -> String {
    #"{"id":\#(id),"jsonrpc":"2.0","result":{"server":\#(server(groups, streams: streams))}}"#
  }

  static func notification(_ method: String, _ parameters: String) -> String {
    #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters)}"#
  }
}

/// A room list that applies notifications.
final class ToldList {
  private(set) var list = RoomList()

  init(_ groups: [String], streams: [String] = []) throws {
    guard take(try Told.value(Told.server(groups, streams: streams))) else { throw JsonError.malformed }
  }

  func take(_ server: JsonValue) -> Bool { list.apply(server: server) }

  func hear(_ method: String, _ parameters: String) throws -> RoomList.Effect {
    list.apply(method, try Told.value(parameters))
  }

  subscript(number: Int) -> Room? { list[number] }
}
