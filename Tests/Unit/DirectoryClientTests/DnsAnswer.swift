/// A name server's response, byte by byte (RFC 1035, 4).
struct DnsAnswer {
  /// An SRV record.
  struct Service {
    var host: String
    var port: UInt16 = 443
    var priority: UInt16 = 0
    var type: UInt16 = 33
  }

  var question = "_api._tcp.radio-browser.info"
  var services: [Service] = []

  var bytes: [UInt8] {
    var bytes: [UInt8] = [0x12, 0x34, 0x81, 0x80, 0, 1] + Self.number(UInt16(services.count)) + [0, 0, 0, 0]
    bytes += Self.name(question) + [0, 33, 0, 1]
    for service in services {
      let data = Self.number(service.priority) + [0, 1] + Self.number(service.port) + Self.name(service.host)
      // A pointer to the name in the question.
      bytes += [0xC0, 12] + Self.number(service.type) + [0, 1, 0, 0, 1, 0x2C] + Self.number(UInt16(data.count)) + data
    }
    return bytes
  }

  private static func number(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

  private static func name(_ text: String) -> [UInt8] {
    text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }
}
