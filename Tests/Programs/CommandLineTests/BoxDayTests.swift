import Foundation
import MediaSupport
import StationSupport
import System
import TestSupport
import Testing

@testable import Box

/// Simulates a day with a person's commands on a fast clock (S4, D8).
@Suite struct BoxDayTests {
  @Test("Zaps, scrubs and titles use no extra memory, and the card is written once per 10 s; BAKELITE_DAY=150 is long")
  func day() async throws {
    try await Stage.run {
      let titles = (0..<40).map { ($0 * 8_000, "Artist \($0) - Song \($0)") }
      let mixed = Icy.interleave(Clip.mp3(60).bytes, metaint: 4_000, titles: titles)
      let station = try ScriptedStation { _ in [.live("icy-metaint: 4000"), .send(mixed), .stall] }
      defer { station.close() }
      let box = try Box(stations: (0..<9).map { ("Station \($0)", station.url("/\($0)")) })
      try box.start("null")
      #expect(box.manager.receives("STATUS=playing"))
      let peer = try ControlPeer(box.socket)
      let seconds = ProcessInfo.processInfo.environment["BAKELITE_DAY"].flatMap { Double($0) } ?? 25
      let (start, file) = (monotonicSeconds(), box.folder.path + "/state")
      var (writes, inode, deeds, early) = (0, ino_t(0), 0, 0)
      while monotonicSeconds() < start + seconds {
        deeds += 1
        let deed = ["radio_press next", "radio_rewind 5", "radio_turn 2 tune", "radio_live", "radio_press volume_up"]
        #expect(peer.request(deed[deeds % 5]) == [])
        usleep(60_000)
        var status = stat()
        if stat(file, &status) == 0, status.st_ino != inode { (writes, inode) = (writes + 1, status.st_ino) }
        if early == 0, monotonicSeconds() > start + seconds / 3 {
          early = peer.status()["rss_anon"].flatMap(Int.init) ?? 0
        }
      }
      let late = peer.status()["rss_anon"].flatMap(Int.init) ?? 0
      print(
        "box: \(deeds) deeds in \(Int(seconds)) s, \(station.visits.count) stations, \(writes) times written,",
        "RssAnon \(early) KiB, then \(late) KiB")
      #expect(writes <= Int(seconds / 10) + 1)
      if !Sanitizer.isOn { #expect(early > 0 && late - early < 768) }
      let underruns = peer.status()["underruns"]
      #expect(box.punctuality.holdsUnlessLate(underruns == "0" || Sanitizer.isOn))
      #expect(try box.switchOff().code == 0)
    }
  }

  private static let hours = ProcessInfo.processInfo.environment["BAKELITE_HOURS"].flatMap { Double($0) }

  /// Runs alone because the test measures the memory of the process.
  @Test(
    "Hours on a fast clock: memory stays flat, and the state is rarely written",
    .enabled(if: hours != nil, "`make day` runs it alone"))
  func simulated() async throws {
    let hours = try #require(Self.hours)
    try await Stage.run {
      let speed = 300
      let laps = (0..<40).flatMap { _ in Repository.bytes("Tests/Support/Fixtures/cbr-8000.mp3") }
      let titles = stride(from: 0, to: laps.count, by: 40_000).map { ($0, "Artist - Song \($0 / 40_000)") }
      let mixed = Icy.interleave(laps, metaint: 4_000, titles: titles)
      let air: [StationAction] = [.live("icy-metaint: 4000"), .pace(mixed, perSecond: 2_000, burst: 20_000), .stall]
      // The threads of the station and the box use the fast clock; this thread uses real time.
      let station = try TestClock.run(speed: speed) { try ScriptedStation { _ in air } }
      defer { station.close() }
      let box = try Box(stations: (0..<9).map { ("Station \($0)", station.url("/\($0)")) })
      let life = BoxLife(box, speed)
      let start = monotonicSeconds()
      var lived: Double { (monotonicSeconds() - start) * Double(speed) }
      #expect(try life.peer().waitForNumber("held") { $0 > 5 })
      var (deeds, early) = (0, 0)
      let deed = [
        "radio_press next", "radio_rewind 30", "radio_turn 2 tune", "radio_live", "setvol 41", "radio_rewind 5",
      ]
      while lived < hours * 3_600 {
        // A new client each time: the box disconnects clients after a minute on its clock.
        let peer = try life.peer()
        #expect(peer.request(deed[deeds % deed.count]) == [])
        deeds += 1
        let next = lived + 47
        while lived < next {
          usleep(5_000)
          life.count()
        }
        if early == 0, lived > hours * 1_200 {
          early = peer.status()["rss_anon"].flatMap(Int.init) ?? 0
        }
      }
      let status = try life.peer().status()
      let (late, seconds) = (status["rss_anon"].flatMap(Int.init) ?? 0, lived)
      print(
        "box: \(Int(seconds)) s of life, \(deeds) deeds, \(station.visits.count) stations,",
        "\(status["underruns"] ?? "?") underruns, written \(life.writeCount) times, RssAnon \(early), then \(late) KiB")
      #expect(life.end() == 0)
      #expect(life.writeCount > 1 && Double(life.writeCount) <= seconds / 10 + 1)
      #expect(early > 0 && late - early < 1_024)
    }
  }
}

/// A box that runs in this process on its own thread, with a fast clock.
private final class BoxLife: @unchecked Sendable {
  private let folder: String
  private let done = DispatchSemaphore(value: 0)
  private let begun = DispatchSemaphore(value: 0)
  private var thread = pthread_t()
  private var code: Int32 = -1
  private let watch = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
  private(set) var writeCount = 0

  init(_ box: Box, _ speed: Int) {
    folder = box.folder.path
    inotify_add_watch(watch, folder, UInt32(IN_MOVED_TO))
    Thread.detachNewThread { [self] in
      thread = pthread_self()
      let signals = Signals()
      begun.signal()
      var launch = LaunchOptions()
      launch.configPath = folder + "/bakelite.toml"
      launch.boards = Repository.root + "/boards"
      launch.output = "null"
      if let configuration = try? launch.configuration() {
        code = Appliance(launch, configuration, signals, clock: Clock(speed: speed)).run()
      }
      done.signal()
    }
    begun.wait()
  }

  deinit { close(watch) }

  func peer() throws -> ControlPeer {
    let (end, socket) = (monotonicSeconds() + 10, folder + "/socket")
    while !FileManager.default.fileExists(atPath: socket), monotonicSeconds() < end { usleep(5_000) }
    return try ControlPeer(socket)
  }

  func end() -> Int32 {
    pthread_kill(thread, SIGTERM)
    done.wait()
    count()
    return code
  }

  /// Counts writes to the state file. The kernel merges unread events.
  func count() {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    while case let count = read(watch, &bytes, bytes.count), count > 0 {
      var place = 0
      while place < count {
        let length = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self) }
        let name = bytes[(place + 16)..<(place + 16 + Int(length))].prefix { $0 != 0 }
        if String(decoding: name, as: UTF8.self) == "state" { writeCount += 1 }
        place += 16 + Int(length)
      }
    }
  }
}
