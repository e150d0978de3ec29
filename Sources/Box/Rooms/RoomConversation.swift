import Json
import Units

/// The dialogue with a Snapcast server, without I/O. A value; the caller passes lines and the time. At most one request
/// is pending. A server that does not reply within ten seconds counts as disconnected.
struct RoomConversation {
  private struct Asked {
    let number: Int
    let request: RoomRequest
    let since: MonotonicTime
  }

  private(set) var list = RoomList()
  private(set) var isKnown = false
  private(set) var unconfirmed: RoomOrder?
  private var asked: Asked?
  private var wantsStatus = true
  /// True if a notification arrived while the status was requested. The status may be older than the notification.
  private var isStatusOld = false
  private var nextStatus = MonotonicTime.zero
  private var number = 0

  static let patience = Duration(milliseconds: 10_000)
  private static let statusInterval = Duration(milliseconds: 1_000)

  /// Starts the dialogue on a new connection. Only the list of rooms from the previous connection stays.
  mutating func begin() {
    isKnown = false
    asked = nil
    unconfirmed = nil
    wantsStatus = true
    nextStatus = .zero
    isStatusOld = false
  }

  /// Time at which the server counts as disconnected; `never` without a pending request.
  var deadline: MonotonicTime { asked.map { $0.since + Self.patience } ?? .never }

  var due: MonotonicTime { asked == nil && wantsStatus ? nextStatus : .never }

  mutating func next(_ orders: inout RoomOrders, at now: MonotonicTime) -> String? {
    guard asked == nil else { return nil }
    if wantsStatus, now >= nextStatus {
      (wantsStatus, nextStatus) = (false, now + Self.statusInterval)
      return ask(.status, at: now)
    }
    while isKnown, let order = orders.popFirst() {
      guard let room = list.with(order).rooms.first(where: { $0.id == order.id }) else { continue }
      unconfirmed = order
      return ask(.volume(id: room.id, percent: room.volume, isMuted: room.isMutedItself), at: now)
    }
    return nil
  }

  private mutating func ask(_ request: RoomRequest, at now: MonotonicTime) -> String {
    number = number % RoomRequest.maxId + 1
    asked = Asked(number: number, request: request, since: now)
    return request.line(number)
  }

  /// Processes a line from the server. Returns true if rooms or streams may have changed.
  mutating func process(_ line: [UInt8]) throws(RoomFault) -> Bool {
    if line.isEmpty { return false }
    let value: JsonValue
    do throws(JsonError) { value = try JsonValue(line.span) } catch {
      throw error == .tooLarge ? .tooLarge : .garbled
    }
    switch RoomMessage(value) {
    case .notification(let method, let parameters):
      let effect = list.apply(method, parameters)
      if effect == .outdated { wantsStatus = true }
      if effect == .taken, asked?.request == .status { isStatusOld = true }
      return effect == .taken
    case .answer(let number, let result):
      guard let asked, asked.number == number else { return false }
      self.asked = nil
      return try processAnswer(result, to: asked.request)
    case .other: return false
    }
  }

  private mutating func processAnswer(_ result: JsonValue?, to request: RoomRequest) throws(RoomFault) -> Bool {
    switch request {
    case .status:
      guard list.apply(server: result?["server"]) else { throw .garbled }
      isKnown = true
      if isStatusOld { (wantsStatus, isStatusOld) = (true, false) }
    case .volume(let id, _, _):
      unconfirmed = nil
      // The server refused the order because it removed the room. The next status will not contain the room.
      if result == nil { wantsStatus = true }
      list.apply(volume: result?["volume"], of: id)
    }
    return true
  }
}
