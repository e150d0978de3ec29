import Foundation
import Glibc
import Station
import Testing

/// A raw HTTP client on a blocking socket. Reads time out after ten seconds.
final class Client {
  struct Answer {
    var status: String
    var headers: [String: String]
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  private let descriptor: Int32
  private(set) var ahead: [UInt8] = []

  init(port: UInt16, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(status == 0)
  }

  deinit { close(descriptor) }

  func send(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads `count` bytes, or fewer if the station disconnects.
  func read(_ count: Int) -> [UInt8] {
    while ahead.count < count, receive() {}
    defer { ahead.removeFirst(min(count, ahead.count)) }
    return Array(ahead.prefix(count))
  }

  /// Reads until the station disconnects; nil if it sends more than `limit` bytes or times out.
  func readToEnd(limit: Int = 1 << 20) -> [UInt8]? {
    while ahead.count <= limit {
      if !receive() { return hasEnded ? ahead : nil }
    }
    return nil
  }

  /// Reads the status line and the headers. Header names become lower case.
  func readHead() throws -> Answer {
    while !ahead.contains(Array("\r\n\r\n".utf8)), receive() {}
    let end = try #require(ahead.firstRange(of: Array("\r\n\r\n".utf8)))
    let lines = String(decoding: ahead[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    ahead.removeFirst(end.upperBound)
    let pairs = lines.dropFirst().map { $0.components(separatedBy: ": ") }
    let headers = Dictionary(pairs.map { ($0[0].lowercased(), $0.dropFirst().joined(separator: ": ")) }) { $1 }
    return Answer(status: lines[0], headers: headers, body: [])
  }

  func get(_ path: String, headers: String = "", method: String = "GET") throws -> Answer {
    send("\(method) \(path) HTTP/1.1\r\nHost: radio.test:8000\r\n\(headers)\r\n".utf8)
    return try readHead()
  }

  /// Requests a page that ends with the connection.
  func page(_ path: String, method: String = "GET") throws -> Answer {
    var answer = try get(path, method: method)
    answer.body = try #require(readToEnd())
    return answer
  }

  private var hasEnded = false

  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    hasEnded = count == 0 || (count < 0 && errno == ECONNRESET)
    if count > 0 { ahead += buffer.prefix(count) }
    return count > 0
  }
}

/// Runs a station on its own thread while `body` runs.
func withStation(
  _ mounts: [Mount], _ change: (inout StationOptions) -> Void = { _ in }, body: (StationServer) throws -> Void
) throws {
  var options = StationOptions()
  change(&options)
  let server = try StationServer(mounts: mounts, options: options)
  let hasEnded = DispatchSemaphore(value: 0)
  Thread {
    do { try server.run() } catch { Issue.record(error) }
    hasEnded.signal()
  }.start()
  defer {
    server.stop()
    #expect(hasEnded.wait(timeout: .now() + 10) == .success, "run() ends after stop()")
  }
  try body(server)
}

/// Returns the first byte of `file` in the received loop; nil if the loop has a fault.
func startOfHearing(_ heard: [UInt8], in file: [UInt8], frame: Int) -> Int? {
  stride(from: 0, to: file.count, by: frame).first { start in
    file[start...].starts(with: heard.prefix(frame))
      && heard.indices.allSatisfy { heard[$0] == file[(start + $0) % file.count] }
  }
}
