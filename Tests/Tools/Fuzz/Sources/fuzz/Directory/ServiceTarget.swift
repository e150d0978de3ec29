@testable import DirectoryClient

/// Reads the SRV reply of a name server for the directory's servers.
final class ServiceReading: FuzzTarget {
  static let name = "srv-answer"
  static let longest = 1_024
  static let seeds: [[UInt8]] = [answer(["de1.api.radio-browser.info", "nl1.api.radio-browser.info"]), answer([])]

  func run(_ bytes: Span<UInt8>) {
    let records = ServiceRecord.read(bytes)
    expect(records.count <= ServiceRecord.maxCount, "no more servers are read than are asked")
    for record in records {
      expect((1...65_535).contains(record.port), "a port has 16 bits and is not 0")
      expect(ServiceRecord.name(record.host) == record.host, "a host's name is one")
    }
    var random = SystemRandomNumberGenerator()
    let servers = DirectoryServer.list(records: records, named: { [] }, by: &random)
    expect((1...DirectoryServer.maxCount).contains(servers.count), "somebody is asked, and not too many")
    for server in servers {
      let host = "\(server.address)".dropFirst("https://".count).prefix { $0 != ":" && $0 != "/" }
      expect(
        "\(server.address)".hasPrefix("https://") && host.hasSuffix(".radio-browser.info"),
        "an answer leads to the directory's own servers alone, by https")
    }
  }

  /// Creates a reply with SRV records (RFC 1035, 4).
  private static func answer(_ hosts: [String]) -> [UInt8] {
    func name(_ text: String) -> [UInt8] {
      text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }
    var bytes: [UInt8] = [0, 1, 0x81, 0x80, 0, 1, 0, UInt8(hosts.count), 0, 0, 0, 0]
    bytes += name("_api._tcp.radio-browser.info") + [0, 33, 0, 1]
    for host in hosts {
      let data = [0, 0, 0, 1, 0x01, 0xBB] + name(host)
      bytes += [0xC0, 12, 0, 33, 0, 1, 0, 0, 0, 60, 0, UInt8(data.count)] + data
    }
    return bytes
  }
}
