import Json
import Units

/// What is said to a Snapcast server and what its words mean, without the connection: a value that is given lines and
/// the time.
///
/// One request waits for its answer at a time. A server that leaves one unanswered for ten seconds is taken for gone.
struct RoomConversation {
  /// Why a server's words are no use.
  enum Fault: Error, Equatable {
    /// A line is no JSON, or the status is none.
    case garbled
    /// A line asks for more than is given.
    case tooLarge
  }

  private struct Asked {
    let number: Int
    let request: RoomRequest
    let since: MonotonicTime
  }

  /// The rooms, as they were told last, over all connections.
  private(set) var list = RoomList()
  /// Whether the server told its status on this connection.
  private(set) var isKnown = false
  /// What was asked for and is not confirmed.
  private(set) var unconfirmed: RoomOrder?
  private var asked: Asked?
  private var wantsStatus = true
  /// Whether something changed while the status was asked for: the answer may be older than that.
  private var isStatusOld = false
  private var nextStatus = MonotonicTime.zero
  private var number = 0

  static let patience = Duration(milliseconds: 10_000)
  /// Whatever the server tells, its status is asked for this often at most.
  private static let statusInterval = Duration(milliseconds: 1_000)

  /// A connection begins: nothing is known of the server but what it told before.
  mutating func begin() {
    (isKnown, asked, unconfirmed, wantsStatus, nextStatus) = (false, nil, nil, true, .zero)
    isStatusOld = false
  }

  /// When the server is taken for gone; `never` while it owes nothing.
  var deadline: MonotonicTime { asked.map { $0.since + Self.patience } ?? .never }

  /// When there is something to ask, though nothing comes and nobody gives an order.
  var due: MonotonicTime { asked == nil && wantsStatus ? nextStatus : .never }

  /// The next line to send; nil where there is none now.
  mutating func next(_ orders: inout RoomOrders, at now: MonotonicTime) -> String? {
    guard asked == nil else { return nil }
    if wantsStatus, now >= nextStatus {
      (wantsStatus, nextStatus) = (false, now + Self.statusInterval)
      return ask(.status, at: now)
    }
    while isKnown, let order = orders.takeFirst() {
      guard let room = list.with(order).rooms.first(where: { $0.id == order.id }) else { continue }
      unconfirmed = order
      return ask(.volume(id: room.id, percent: room.volume, isMuted: room.isMutedItself), at: now)
    }
    return nil
  }

  private mutating func ask(_ request: RoomRequest, at now: MonotonicTime) -> String {
    number = number % RoomRequest.mostIds + 1
    asked = Asked(number: number, request: request, since: now)
    return request.line(number)
  }

  /// Takes a line of the server; whether rooms or streams may be others now.
  mutating func take(_ line: [UInt8]) throws(Fault) -> Bool {
    if line.isEmpty { return false }
    let value: JsonValue
    do throws(JsonError) { value = try JsonValue(line.span) } catch {
      throw error == .tooLarge ? .tooLarge : .garbled
    }
    switch RoomMessage(value) {
    case .notification(let method, let parameters):
      let effect = list.take(method, parameters)
      if effect == .outdated { wantsStatus = true }
      if effect == .taken, asked?.request == .status { isStatusOld = true }
      return effect == .taken
    case .answer(let number, let result):
      guard let asked, asked.number == number else { return false }
      self.asked = nil
      return try take(result, to: asked.request)
    case .other: return false
    }
  }

  private mutating func take(_ result: JsonValue?, to request: RoomRequest) throws(Fault) -> Bool {
    switch request {
    case .status:
      guard list.take(server: result?["server"]) else { throw .garbled }
      isKnown = true
      if isStatusOld { (wantsStatus, isStatusOld) = (true, false) }
    case .volume(let id, _, _):
      unconfirmed = nil
      // Refused: the room is gone, which the server's status tells.
      if result == nil { wantsStatus = true }
      list.take(volume: result?["volume"], of: id)
    }
    return true
  }
}
