import Json

/// A message of a Snapcast server (JSON-RPC 2.0).
enum RoomMessage {
  /// Maximum length in bytes, without the line end. The limit allows 256 clients with 600 bytes each, and 24 streams
  /// with 4,096 bytes each.
  static let maxLength = 256 * 600 + 24 * 4_096

  case notification(method: String, parameters: JsonValue)
  /// The reply to a request. `result` is nil if the server refused the request.
  case answer(id: Int, result: JsonValue?)
  case other

  init(_ value: JsonValue) {
    if let method = value["method"]?.string, let parameters = value["params"] {
      self = .notification(method: method, parameters: parameters)
    } else if let id = value["id"]?.integer(in: 0...RoomRequest.maxId) {
      self = .answer(id: id, result: value["result"])
    } else {
      self = .other
    }
  }
}

enum RoomRequest: Equatable {
  case status
  case volume(id: String, percent: Int, isMuted: Bool)

  /// Maximum request number. The next request after it has the number 1.
  static let maxId = 1_000_000

  func line(_ number: Int) -> String {
    switch self {
    case .status: #"{"id":\#(number),"jsonrpc":"2.0","method":"Server.GetStatus"}"# + "\r\n"
    case .volume(let id, let percent, let isMuted):
      #"{"id":\#(number),"jsonrpc":"2.0","method":"Client.SetVolume","params":{"id":\#(Self.quoted(id)),"#
        + #""volume":{"muted":\#(isMuted),"percent":\#(percent)}}}"# + "\r\n"
    }
  }

  /// Returns a JSON string in which all characters except visible ASCII are escaped.
  private static func quoted(_ text: String) -> String {
    "\""
      + text.utf16.map { unit in
        if unit >= 0x20, unit < 0x7F, unit != 0x22, unit != 0x5C { return String(UnicodeScalar(UInt8(unit))) }
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined() + "\""
  }
}
