/// Checks a broker's MQTT 3.1.1 packets before libmosquitto reads them. libmosquitto would allocate the length that a
/// packet announces, up to 256 MB. An unexpected packet ends the connection.
struct PacketFilter {
  /// Maximum length of a PUBLISH packet in bytes, without its header. A valid order has some dozen bytes; a user may
  /// publish longer messages by mistake.
  static let maxLength = 16_384
  /// Maximum length of a packet's header: its first byte and its length field.
  static let maxHeaderLength = 5

  private enum Place {
    case kind
    case length(kind: UInt8, sum: Int, shift: Int)
    case body(left: Int)
  }

  private var place = Place.kind
  private(set) var packets = 0

  /// Number of bytes that the current packet still needs, at least; 0 between packets.
  var missing: Int {
    switch place {
    case .kind: 0
    case .length: 1
    case .body(let left): left
    }
  }

  /// Checks the next bytes, which may end inside a packet. Throws `garbage` if a packet is unexpected or too long.
  mutating func pass(_ bytes: ArraySlice<UInt8>) throws(BrokerFault) {
    var rest = bytes
    while let byte = rest.first {
      switch place {
      case .kind:
        guard Self.isExpected(byte) else { throw .garbage }
        place = .length(kind: byte, sum: 0, shift: 0)
        rest.removeFirst()
      case .length(let kind, let sum, let shift):
        let sum = sum | Int(byte & 0x7F) << shift
        guard sum <= Self.maxLength(kind) else { throw .garbage }
        rest.removeFirst()
        if byte < 0x80 {
          begin(sum)
        } else {
          guard shift < 21 else { throw .garbage }
          place = .length(kind: kind, sum: sum, shift: shift + 7)
        }
      case .body(let left):
        let count = min(left, rest.count)
        rest.removeFirst(count)
        begin(left - count)
      }
    }
  }

  private mutating func begin(_ left: Int) {
    if left == 0 { packets += 1 }
    place = left == 0 ? .kind : .body(left: left)
  }

  /// True for CONNACK, PUBLISH at QoS 0 (retained or not), SUBACK and PINGRESP (MQTT 3.1.1, 2.2).
  private static func isExpected(_ kind: UInt8) -> Bool { [0x20, 0x30, 0x31, 0x90, 0xD0].contains(kind) }

  private static func maxLength(_ kind: UInt8) -> Int {
    switch kind {
    case 0x20: 2
    case 0x30, 0x31: maxLength
    case 0x90: 16
    default: 0
    }
  }
}
