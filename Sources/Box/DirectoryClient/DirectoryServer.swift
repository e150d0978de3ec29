import Glibc
import Network
import Units

/// A server of the directory.
public struct DirectoryServer: Sendable {
  /// Its address.
  public var address: StationAddress { StationAddress(base) }
  /// Whether the owner named it.
  let isMirror: Bool

  private let base: String
  private let credentials: Credentials?
  /// The servers of others have no business in the owner's network.
  private let isForeign: Bool

  /// No more are asked, one after the other.
  public static let most = 5
  /// The domain of the directory's own servers. A falsified answer of a name server cannot lead elsewhere, since their
  /// certificates are checked.
  static let domain = "radio-browser.info"

  /// A server that the owner names: its address by http or https, to whose path those of requests are added.
  ///
  /// - Throws: As for `WebAddress`.
  public init(mirror: String) throws(NetworkError) {
    self.init(try WebAddress(mirror), isMirror: true, isForeign: false)
  }

  /// A server at an address.
  init(_ address: WebAddress, isMirror: Bool, isForeign: Bool) {
    let port = (address.scheme == "https" ? 443 : 80) == address.port ? "" : ":\(address.port)"
    var path = address.path[...]
    while path.hasSuffix("/") { path.removeLast() }
    base = "\(address.scheme)://\(address.host)\(port)\(path)"
    (credentials, self.isMirror, self.isForeign) = (address.credentials, isMirror, isForeign)
  }

  /// One of the directory's own; nil for a host of another domain.
  init?(host: String, port: Int = 443) {
    guard host.hasSuffix("." + Self.domain), let address = try? WebAddress("https://\(host):\(port)") else {
      return nil
    }
    self.init(address, isMirror: false, isForeign: true)
  }

  /// Whether an address is one of the directory's own servers, and no mirror.
  public static func isOwn(_ address: StationAddress) -> Bool {
    guard let address = try? WebAddress(address) else { return false }
    return address.scheme == "https" && address.host.hasSuffix("." + domain)
  }

  /// The directory's own servers in a random order: those of the SRV records, else those that the name of all has. The
  /// name servers are asked for some seconds at most, if `limitPatience` was called; `isEnded` is asked between two
  /// questions, and ends it.
  public static func found(isEnded: () -> Bool = { false }) -> [DirectoryServer] {
    var random = SystemRandomNumberGenerator()
    let records = ServiceRecord.ask("_api._tcp.\(domain)")
    if isEnded() { return [] }
    return list(records: records, named: { hosts(of: "all.api.\(domain)", isEnded) }, by: &random)
  }

  /// Has name servers that are silent left after 2 s, and not after half a minute (resolv.conf(5)). It changes the
  /// environment, so only a program that has one thread yet may call it.
  public static func limitPatience() { setenv("RES_OPTIONS", "timeout:2 attempts:1", 0) }

  /// The servers in the order in which they are asked.
  static func list(
    records: [ServiceRecord], named: () -> [String], by random: inout some RandomNumberGenerator
  ) -> [DirectoryServer] {
    let shuffled = records.shuffled(using: &random)
    // The random order stays among those of the same priority.
    let ordered = shuffled.enumerated().sorted { ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset) }
    var servers = ordered.compactMap { DirectoryServer(host: $0.element.host, port: $0.element.port) }
    if servers.isEmpty {
      servers = named().compactMap(ServiceRecord.name).shuffled(using: &random).compactMap { DirectoryServer(host: $0) }
    }
    var seen: Set<StationAddress> = []
    servers = servers.filter { seen.insert($0.address).inserted }
    let all = DirectoryServer(host: "all.api.\(domain)").map { [$0] } ?? []
    return Array(servers.prefix(most - 1)) + all
  }

  /// A request for a path of this server.
  func request(_ path: String, query: [String] = [], agent: String) -> HttpRequest {
    var request = HttpRequest(url: base + path, userAgent: agent)
    request.query = query
    request.credentials = credentials
    request.connectTimeout = ServerVisit.patience
    if isForeign { request.reach = .named(homes: [], port: nil) }
    // Where a mirror redirects to is its owner's affair.
    if !isMirror { request.redirectDomain = Self.domain }
    return request
  }

  /// The names of all addresses of a name (getaddrinfo(3), getnameinfo(3)), eight at most.
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
