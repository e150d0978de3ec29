import Testing
import Units

@testable import Rooms

final class RoomConversationTests {
  private var conversation = RoomConversation()
  private var orders = RoomOrders()
  private static let groups = [Told.group("g", [Told.client("a"), Told.client(#"b\"\u00e9"#)])]

  @Test("The longest message has 251,904 bytes")
  func longest() { #expect(RoomMessage.maxLength == 251_904) }

  private func next(_ seconds: Double) -> String? {
    conversation.next(&orders, at: MonotonicTime(seconds: seconds))
  }

  @discardableResult
  private func add(_ order: RoomOrder) -> Bool { orders.add(order) }

  private func hear(_ line: String) throws -> Bool { try conversation.process(Array(line.utf8)) }

  private func begin() throws {
    conversation.begin()
    _ = next(0)
    _ = try hear(Told.status(1, Self.groups))
  }

  @Test("The status comes first; then orders with both values, one at a time")
  func order() throws {
    add(RoomOrder("a", volume: 5))
    conversation.begin()
    #expect(next(0) == #"{"id":1,"jsonrpc":"2.0","method":"Server.GetStatus"}"# + "\r\n")
    #expect(next(1) == nil && !conversation.isKnown)
    #expect(try hear(Told.status(1, Self.groups)) && conversation.isKnown)
    #expect(
      next(1) == #"{"id":2,"jsonrpc":"2.0","method":"Client.SetVolume","params":{"id":"a","#
        + #""volume":{"muted":false,"percent":5}}}"# + "\r\n")
    add(RoomOrder("a", volume: 6))
    add(RoomOrder("a", isMuted: true))
    add(RoomOrder("b\"é", volume: 7))
    #expect(next(1) == nil && conversation.unconfirmed == RoomOrder("a", volume: 5))
    #expect(try hear(#"{"id":2,"result":{"volume":{"muted":false,"percent":5}}}"#))
    #expect(conversation.list[1]?.volume == 5 && conversation.unconfirmed == nil)
    #expect(next(1)?.contains(#"{"muted":true,"percent":6}"#) == true)
    #expect(try hear(#"{"id":3,"result":{"volume":{"muted":true,"percent":6}}}"#))
    #expect(next(1)?.contains(#""id":"b\u0022\u00e9","volume":{"muted":false,"percent":7}"#) == true)
  }

  @Test("An order for a missing room is dropped; a refused one requests the status")
  func gone() throws {
    try begin()
    add(RoomOrder("x", volume: 5))
    add(RoomOrder("a", volume: 5))
    #expect(next(1)?.contains(#""id":"a""#) == true)
    #expect(try hear(#"{"id":2,"error":{"code":-32603,"message":"Internal error"}}"#))
    #expect(conversation.list[1]?.volume == 74 && next(2)?.contains("GetStatus") == true)
  }

  @Test("A server that owes a reply for ten seconds is silent; an idle one never is")
  func silence() throws {
    conversation.begin()
    #expect(conversation.deadline == .never && conversation.due == .zero)
    _ = next(3)
    #expect(conversation.deadline == MonotonicTime(seconds: 13))
    _ = try hear(#"{"id":7,"result":{}}"#)
    _ = try hear(Told.notification("Client.OnLatencyChanged", "{}"))
    #expect(conversation.deadline == MonotonicTime(seconds: 13))
    _ = try hear(Told.status(1, Self.groups))
    #expect(conversation.deadline == .never && conversation.due == .never)
    conversation.begin()
    #expect(!conversation.isKnown && conversation.list.rooms.count == 2)
  }

  @Test("A status older than a notification is requested again, once")
  func oldStatus() throws {
    try begin()
    conversation.begin()
    _ = next(1)
    let client = Told.client("a")
    #expect(try hear(Told.notification("Client.OnConnect", #"{"client":\#(client),"id":"a"}"#)))
    #expect(try hear(Told.status(2, [Told.group("g", [Told.client("a", connected: "false")])])))
    #expect(conversation.list[1]?.isConnected == false && next(2)?.contains("GetStatus") == true)
    #expect(try hear(Told.status(3, Self.groups)) && conversation.list[1]?.isConnected == true)
    #expect(next(5) == nil)
  }

  @Test("The status is requested at most once a second")
  func pace() throws {
    try begin()
    #expect(try hear(Told.notification("Client.OnConnect", #"{"client":{},"id":"n"}"#)) == false)
    #expect(next(0.5) == nil && conversation.due == MonotonicTime(seconds: 1))
    #expect(next(1) != nil && conversation.due == .never)
    #expect(try hear(Told.status(2, [])) && conversation.list.rooms == [])
    #expect(next(5) == nil)
  }

  @Test(
    "Invalid lines end the connection, or are ignored",
    arguments: [
      ("", false), ("{}", false), ("[1]", false), ("5", false), (#"{"id":1.5}"#, false),
      (#"{"id":null,"error":{}}"#, false), (#"{"method":"Client.OnConnect"}"#, false), ("garbage", nil),
      ("GET / HTTP/1.1", nil), (#"{"id":1,"result":{}}"#, nil), (#"{"id":1,"result":{"server":[]}}"#, nil),
      (#"{"id":1,"error":{}}"#, nil), (String(repeating: "[", count: 1_000), nil),
    ])
  func lines(_ line: String, _ isNews: Bool?) throws {
    conversation.begin()
    _ = next(0)
    guard let isNews else {
      #expect(throws: RoomFault.self) { try hear(line) }
      return
    }
    #expect(try hear(line) == isNews)
  }

  @Test("The queue has room for one order per possible room")
  func most() {
    for number in 0..<64 { #expect(add(RoomOrder("\(number)", volume: 1))) }
    #expect(!add(RoomOrder("x", volume: 1)) && add(RoomOrder("5", isMuted: true)))
    #expect(orders.waiting.count == 64)
  }

  @Test("A server that never stops is read slowly: 256 KiB at once, then 128 KiB a second")
  func allowance() {
    var allowance = ReadAllowance(at: .zero)
    var (now, count) = (MonotonicTime.zero, 0)
    while now < MonotonicTime(seconds: 10) {
      now = allowance.next(at: now)
      allowance.consume(16_384)
      count += 16_384
    }
    #expect((1_500_000...1_640_000).contains(count))
    let later = allowance.next(at: MonotonicTime(seconds: 3_600))
    #expect(later == MonotonicTime(seconds: 3_600))
  }
}
