import MediaSupport
import RadioSupport
import StationSupport
import TestSupport
import Testing

/// Four addresses of a station on two hosts. Only the first address delivers, for some seconds.
struct SilentAddresses {
  private let main: ScriptedStation
  private let others: [ScriptedStation]

  init(delivering seconds: Double) throws {
    let broadcast = Broadcast(.long(90), burst: 30)
    main = try ScriptedStation { visit in
      visit.number == 0 ? [.live()] + broadcast.actions(visit, for: seconds) + [.stall] : [.stall]
    }
    others = try (0..<2).map { _ in try ScriptedStation([.stall]) }
  }

  /// The addresses, the station's own first.
  var urls: [String] { [main.url(), main.url("/b")] + others.map { $0.url(host: "localhost") } }

  private var all: [ScriptedStation] { [main] + others }

  private var tries: [(address: String, time: Double)] {
    all.flatMap { station in station.visits.map { ("\(station.port)\($0.path)", $0.time) } }
  }

  /// Number of addresses that were tried.
  var triedCount: Int { Set(tries.map(\.address)).count }

  func close() { for station in all { station.close() } }

  /// Runs up to a number of tries. Returns the most connections at once, to all addresses and to one host; nil on a
  /// timeout.
  func maxConnections(on bench: NetBench, tries count: Int) -> (all: Int, host: Int)? {
    var most = (all: 0, host: 0)
    let isTried = bench.run(40) {
      // A replaced connection needs a moment to close.
      if let last = tries.map(\.time).max(), (0.3...0.9).contains(monotonicSeconds() - last) {
        let counts = all.map(\.connectionCount)
        most.all = max(most.all, counts.reduce(0, +))
        most.host = max(most.host, counts[0], counts[1] + counts[2])
      }
      return tries.count >= count
    }
    return isTried ? most : nil
  }

  /// Expects a pause between two tries of an address.
  func expectPauses() {
    for (address, time) in tries {
      #expect(!tries.contains { $0.address == address && $0.time > time && $0.time - time < 0.5 })
    }
  }
}
