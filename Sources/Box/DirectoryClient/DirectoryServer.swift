import Glibc
import Http
import Units

/// A server of the directory.
public struct DirectoryServer: Sendable {
  /// The server's address.
  public var address: StationAddress { StationAddress(base) }
  let isMirror: Bool

  private let base: String
  private let credentials: Credentials?
  /// True if the server's address must not lead into the owner's network.
  private let isForeign: Bool

  /// Maximum number of servers to try.
  public static let maxCount = 5
  /// The domain of the directory's own servers. Certificates are verified, so a forged DNS response cannot redirect to
  /// another server.
  static let domain = "radio-browser.info"

  /// Creates the server that the owner names. `mirror`: an HTTP or HTTPS address; request paths are appended.
  public init(mirror: String) throws(NetworkError) {
    self.init(try WebAddress(mirror), isMirror: true, isForeign: false)
  }

  init(_ address: WebAddress, isMirror: Bool, isForeign: Bool) {
    let port = (address.scheme == "https" ? 443 : 80) == address.port ? "" : ":\(address.port)"
    var path = address.path[...]
    while path.hasSuffix("/") { path.removeLast() }
    base = "\(address.scheme)://\(address.host)\(port)\(path)"
    (credentials, self.isMirror, self.isForeign) = (address.credentials, isMirror, isForeign)
  }

  /// Creates one of the directory's own servers; nil for a host in another domain.
  init?(host: String, port: Int = 443) {
    guard host.hasSuffix("." + Self.domain), let address = try? WebAddress("https://\(host):\(port)") else {
      return nil
    }
    self.init(address, isMirror: false, isForeign: true)
  }

  /// Returns true for an HTTPS address of the directory's own servers.
  public static func isOwn(_ address: StationAddress) -> Bool {
    guard let address = try? WebAddress(address) else { return false }
    return address.scheme == "https" && address.host.hasSuffix("." + domain)
  }

  /// Returns the directory's own servers in random order: from SRV records, or else from the addresses of "all.api".
  /// After `limitPatience`, each query takes some seconds at most. `isEnded` is polled between queries.
  public static func found(isEnded: () -> Bool = { false }) -> [DirectoryServer] {
    var random = SystemRandomNumberGenerator()
    let records = ServiceRecord.ask("_api._tcp.\(domain)")
    if isEnded() { return [] }
    return list(records: records, named: { hosts(of: "all.api.\(domain)", isEnded) }, by: &random)
  }

  /// Limits DNS queries to 2 s instead of half a minute (resolv.conf(5)). Changes the environment, so call it only
  /// while the program has one thread.
  public static func limitPatience() { setenv("RES_OPTIONS", "timeout:2 attempts:1", 0) }

  /// Returns the servers in the order of use: by priority, at random within a priority. The host "all.api" comes last.
  static func list(
    records: [ServiceRecord], named: () -> [String], by random: inout some RandomNumberGenerator
  ) -> [DirectoryServer] {
    let shuffled = records.shuffled(using: &random)
    let ordered = shuffled.enumerated().sorted { ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset) }
    var servers = ordered.compactMap { DirectoryServer(host: $0.element.host, port: $0.element.port) }
    if servers.isEmpty {
      servers = named().compactMap(ServiceRecord.name).shuffled(using: &random).compactMap { DirectoryServer(host: $0) }
    }
    var seen: Set<StationAddress> = []
    servers = servers.filter { seen.insert($0.address).inserted }
    let all = DirectoryServer(host: "all.api.\(domain)").map { [$0] } ?? []
    return Array(servers.prefix(maxCount - 1)) + all
  }

  func request(_ path: String, query: [String] = [], agent: String) -> HttpRequest {
    var request = HttpRequest(url: base + path, userAgent: agent)
    request.query = query
    request.credentials = credentials
    request.connectTimeout = ServerVisit.patience
    if isForeign { request.reach = .named(homes: [], port: nil) }
    // Redirects of a mirror have no limit, because the owner chose the mirror.
    if !isMirror { request.redirectDomain = Self.domain }
    return request
  }

  /// Returns the host names of all addresses of `name`, at most eight (getaddrinfo(3), getnameinfo(3)).
  private static func hosts(of name: String, _ isEnded: () -> Bool) -> [String] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, &hints, &found) == 0 else { return [] }
    defer { freeaddrinfo(found) }
    var (hosts, next): ([String], UnsafeMutablePointer<addrinfo>?) = ([], found)
    while let entry = next, hosts.count < 8, !isEnded() {
      var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let result = getnameinfo(
        entry.pointee.ai_addr, entry.pointee.ai_addrlen, &host, socklen_t(host.count), nil, 0, NI_NAMEREQD)
      if result == 0 {
        hosts.append(String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
      }
      next = entry.pointee.ai_next
    }
    return hosts
  }
}
