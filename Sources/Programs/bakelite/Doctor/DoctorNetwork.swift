import DirectoryClient
import Glibc
import Http
import Settings
import Units

/// Checks the network step by step, until a step fails.
struct DoctorNetwork {
  enum Answer: Equatable {
    case found
    /// The name does not exist.
    case unknown
    /// The names of several stations do not exist, so the name servers probably have no connection themselves.
    case allUnknown
    case silent
  }

  let hasLink: Bool
  let hasRoute: Bool
  /// The first host name among the stations' addresses; nil if no address has a name.
  let host: String?
  let answer: Answer?

  var findings: [DoctorFinding] {
    guard hasLink else {
      return [
        .problem(
          "network", "This machine is offline: no network interface is up and has an address.",
          mend: "plug the cable in, or run: sudo nmtui"),
        .offline("names"),
      ]
    }
    guard hasRoute else {
      return [
        .problem(
          "network", "This machine is offline: the network has an address but no default route.",
          mend: "sudo nmcli networking off; sudo nmcli networking on   # requests a route by DHCP again"),
        .offline("names"),
      ]
    }
    return [.ok("network", "The network has an address and a default route."), names]
  }

  private var names: DoctorFinding {
    guard let host else { return .skipped("names", "No station address has a host name to look up.") }
    switch answer {
    case .found: return .ok("names", "The name servers resolve \(host).")
    case .unknown:
      return .problem(
        "names", "The host name \(host) does not exist.", mend: "bakelite stations list   # check the address")
    case .allUnknown:
      return .problem(
        "names", "The name servers know no station's host, such as \(host), so this machine is probably offline.",
        mend: "cat /etc/resolv.conf   # check the router's connection, and the name servers")
    case .silent, nil:
      return .problem(
        "names", "No name server answered for \(host).",
        mend: "cat /etc/resolv.conf   # check the name servers; a public one is: nameserver 9.9.9.9")
    }
  }
}

extension DoctorNetwork {
  /// Checks this machine. Looks up the first host name of the stations, which takes some seconds at most.
  static func find(_ stations: StationList) -> DoctorNetwork {
    let hasLink = LinkProbe.hasRoute()
    let hasRoute = RouteTable.hasDefault()
    let hosts = stations.entries.compactMap { Self.host(of: $0.station.url) }
    let isAsked = hasLink && hasRoute && !hosts.isEmpty
    let answer = isAsked ? Self.answer(for: hosts, NameServers.denyAllNames, ask) : nil
    return DoctorNetwork(hasLink: hasLink, hasRoute: hasRoute, host: hosts.first, answer: answer)
  }

  /// Looks up the first host, and two others if the first is unknown: a name server without a connection may know no
  /// name at all. `deniesAll`: returns true if the name servers deny all names.
  static func answer(for hosts: [String], _ deniesAll: () -> Bool = { false }, _ ask: (String) -> Answer) -> Answer {
    var different: [String] = []
    for host in hosts where different.count < 3 && !different.contains(host) { different.append(host) }
    let first = different.first.map(ask) ?? .silent
    guard first == .unknown else { return first }
    if deniesAll() { return .allUnknown }
    guard different.count > 1 else { return first }
    return different.dropFirst().allSatisfy { ask($0) == .unknown } ? .allUnknown : .unknown
  }

  /// Returns true for a host name or a numeric address of this machine.
  static func isThisMachine(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }

  /// Returns an address's host name; nil if the host is missing or numeric.
  static func host(of url: StationAddress) -> String? {
    guard let host = (try? WebAddress(url))?.host, !host.isEmpty, !host.contains(":") else { return nil }
    return host.allSatisfy { $0.isNumber || $0 == "." } ? nil : host
  }

  private static func ask(_ host: String) -> Answer {
    // resolv.conf(5): the default would wait half a minute for a dead server.
    setenv("RES_OPTIONS", "timeout:2 attempts:1", 0)
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(host, nil, &hints, &found)
    if let found { freeaddrinfo(found) }
    switch result {
    case 0: return .found
    case EAI_NONAME: return .unknown
    default: return .silent
    }
  }
}
