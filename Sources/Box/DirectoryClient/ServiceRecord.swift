import CResolv

/// A server in a name's SRV records (RFC 2782).
struct ServiceRecord: Hashable, Sendable {
  /// The server's name in lower case, without the final dot.
  let host: String
  /// Port, 1 to 65,535.
  let port: Int
  let priority: Int

  static let maxCount = 16
  /// Maximum length of a response in bytes, by UDP or TCP.
  static let maxResponseLength = 16_384

  /// Parses a name server's response; skips records with invalid bytes or host names.
  static func read(_ answer: Span<UInt8>) -> [ServiceRecord] {
    withUnsafeTemporaryAllocation(of: bk_service.self, capacity: maxCount) { services in
      let count = answer.withUnsafeBufferPointer { bytes in
        bk_service_read(
          bytes.baseAddress, Int32(min(bytes.count, maxResponseLength)), services.baseAddress, Int32(maxCount))
      }
      return services.prefix(Int(count)).compactMap { ServiceRecord($0) }
    }
  }

  /// Queries the name servers; takes some seconds at most. Empty without a record.
  static func ask(_ name: String) -> [ServiceRecord] {
    var answer = [UInt8](repeating: 0, count: maxResponseLength)
    let count = answer.withUnsafeMutableBufferPointer { bk_service_ask(name, $0.baseAddress, Int32($0.count)) }
    return count > 0 ? read(answer.span.extracting(0..<Int(count))) : []
  }

  private init?(_ service: bk_service) {
    let host = withUnsafeBytes(of: service.host) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    guard service.port > 0, let name = Self.name(host) else { return nil }
    (self.host, port, priority) = (name, Int(service.port), Int(service.priority))
  }

  /// Returns a host name in lower case; nil if a character or the length is invalid (RFC 1123, 2.1).
  static func name(_ text: String) -> String? {
    let name = (text.hasSuffix(".") ? text.dropLast() : text[...]).lowercased()
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    let isFit = labels.allSatisfy { label in
      (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
        && label.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
    return isFit && name.utf8.count <= 253 ? name : nil
  }
}
