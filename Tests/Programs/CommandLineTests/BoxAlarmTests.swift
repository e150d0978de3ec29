import Foundation
import StationSupport
import TestSupport
import Testing

/// An alarm of a box, by its PCM and the control protocol.
@Suite(.enabled(if: Shim.works, "needs clang, and no sanitizer"))
struct BoxAlarmTests {
  private static let settings = "timezone = \"UTC\"\n[start]\nplay = \"last\"\n"

  private static func start(_ box: Box) throws {
    try box.start(preload: try Shim("clock"), environment: ["BAKELITE_AHEAD": box.folder.path + "/ahead"])
    #expect(box.manager.receives("READY=1"))
  }

  /// Returns the time of day in two to three minutes, such as "06:30", and the seconds until then.
  private static func nextMinute() -> (text: String, wait: Int) {
    let now = Int(Date().timeIntervalSince1970)
    let minute = now / 60 + 3
    let text = String(format: "%02d:%02d", minute / 60 % 24, minute % 60)
    return (text, minute * 60 - now)
  }

  /// Waits until a sample from a byte on is at least as loud as `peak`. Returns its byte; nil after 40 s.
  private static func sound(in box: Box, from start: Int, atLeast peak: Int16 = 300) -> Int? {
    let end = monotonicSeconds() + 40
    while monotonicSeconds() < end {
      let bytes = Array(box.folder.bytes(of: "pcm").dropFirst(start))
      let place = stride(from: 0, to: bytes.count - 1, by: 2).first { place in
        abs(Int(Int16(truncatingIfNeeded: Int(bytes[place]) | Int(bytes[place + 1]) << 8))) >= Int(peak)
      }
      if let place { return start + place }
      usleep(50_000)
    }
    return nil
  }

  /// Waits until the alarm was audible for `seconds`. Returns false after 30 s.
  private static func isHeard(_ peer: ControlPeer, for seconds: Int) -> Bool {
    let end = monotonicSeconds() + 30
    while monotonicSeconds() < end {
      let line = peer.request("radio_alarm")?.first { $0.hasPrefix("sound_s: ") }
      if let heard = line.flatMap({ Int($0.dropFirst(9)) }), heard >= seconds { return true }
      usleep(100_000)
    }
    return false
  }

  @Test("An alarm rings out of standby, is postponed, rings again, and its end leads back to standby")
  func rings() async throws {
    try await Stage.run {
      let broadcast = Broadcast(.mp3(70), burst: 2)
      let station = try ScriptedStation { [.live()] + broadcast.actions($0) }
      defer { station.close() }
      let box = try Box(Self.settings, stations: [("One", station.url())])
      try Self.start(box)
      var peer = try ControlPeer(box.socket)
      #expect(peer.request("radio_power off") == [] && peer.request("setvol 0") == [])
      let (time, wait) = Self.nextMinute()
      let added = try #require(peer.request("radio_alarm add \(time) daily One volume 60 rise_s 0 minutes 30"))
      #expect(added.contains("alarm: 1") && added.contains("time: \(time)") && added.contains("volume: 60"))
      #expect(added.contains { $0.hasPrefix("next: ") && $0.hasSuffix(time) })
      let visits = station.visits.count
      peer = try box.skip(to: wait - 2)
      let silent = box.pcmCount / 4 * 4
      #expect(Self.sound(in: box, from: silent) != nil)
      #expect(station.visits.count > visits && peer.status()["volume"] == "60")
      #expect(peer.request("radio_alarm")?.contains("ringing: 1") == true)
      #expect(box.fileBecomes("owner.toml") { $0.contains("[[alarm]]") && $0.contains("time = \"\(time)\"") })
      #expect(Self.isHeard(peer, for: 2))
      #expect(peer.request("radio_press play") == [] && peer.waitForValue("stopped"))
      #expect(peer.request("radio_alarm")?.contains("snoozing: 1") == true)
      peer = try box.skip(to: wait + 600)
      let again = box.pcmCount / 4 * 4
      #expect(Self.sound(in: box, from: again) != nil)
      #expect(peer.request("radio_alarm stop") != nil && peer.waitForValue("1", "standby"))
      #expect(peer.status()["volume"] == "0")
      let report = try #require(peer.request("radio_alarm log")?.first)
      #expect(
        report.contains("\(time) rang after") && report.contains("One") && report.contains("postponed 1 time"),
        "\(report)")
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("An alarm connects in advance, and its station is heard by the same connection")
  func inAdvance() async throws {
    try await Stage.run {
      let broadcast = Broadcast(.mp3(200), burst: 4)
      let station = try ScriptedStation { [.live()] + broadcast.actions($0) }
      defer { station.close() }
      let box = try Box(Self.settings, stations: [("One", station.url())])
      let (time, wait) = Self.nextMinute()
      let alarm = "[[alarm]]\ntime = \"\(time)\"\ndays = [\(Self.everyDay)]\nstation = \"One\"\n"
      box.folder.write(Array(alarm.utf8), to: "owner.toml")
      try Self.start(box)
      var peer = try ControlPeer(box.socket)
      #expect(peer.request("radio_power off") == [])
      #expect(Self.becomes { station.connectionCount == 0 })
      let visits = station.visits.count
      // A later step of the clock would look like a silent connection.
      peer = try box.skip(to: wait - 5)
      #expect(Self.becomes { station.visits.count == visits + 1 })
      #expect(peer.status()["standby"] == "1")
      let start = box.pcmCount / 4 * 4
      #expect(Self.sound(in: box, from: start) != nil && Self.isHeard(peer, for: 1))
      #expect(station.visits.count == visits + 1)
      #expect(peer.request("radio_alarm stop") != nil && Self.becomes { station.connectionCount == 0 })
      #expect(try box.switchOff().code == 0)
    }
  }

  private static let everyDay = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map { "\"\($0)\"" }
    .joined(separator: ", ")

  @Test("The tone replaces a dead station after 20 s, and a power cut during the alarm does not end it")
  func tone() async throws {
    try await Stage.run {
      let station = try ScriptedStation(StationAction.response("404 Not Found"))
      defer { station.close() }
      let box = try Box(Self.settings, stations: [("One", station.url())])
      try Self.start(box)
      var peer = try ControlPeer(box.socket)
      #expect(peer.request("radio_power off") == [])
      let (time, wait) = Self.nextMinute()
      #expect(peer.request("radio_alarm add \(time) once One") != nil)
      #expect(box.fileBecomes("owner.toml") { $0.contains("[[alarm]]") })
      peer = try box.skip(to: wait + 1)
      #expect(Self.becomes { peer.request("radio_alarm")?.contains("ringing: 1") == true })
      #expect(peer.request("radio_alarm")?.contains("tone: 0") == true)
      peer = try box.skip(to: wait + 22)
      let start = box.pcmCount / 4 * 4
      #expect(Self.sound(in: box, from: start) != nil)
      #expect(peer.request("radio_alarm")?.contains("tone: 1") == true)
      box.program?.signal(SIGKILL)
      _ = try box.program?.waitForEnd(within: 5)
      try Self.start(box)
      peer = try ControlPeer(box.socket)
      #expect(peer.request("radio_alarm")?.contains("ringing: 1") == true)
      peer = try box.skip(to: wait + 45)
      let cut = box.pcmCount / 4 * 4
      #expect(Self.sound(in: box, from: cut) != nil)
      #expect(peer.request("radio_press play long") == [])
      #expect(peer.request("radio_alarm")?.contains("ringing: 1") == false)
      #expect(box.fileBecomes("state") { $0.contains("alarms=") })
      #expect(try box.switchOff().code == 0)
    }
  }

  /// Returns the greatest sample of the last half second of the PCM.
  private static func peak(of box: Box) -> Int {
    let bytes = Array(box.folder.bytes(of: "pcm").suffix(88_200))
    return stride(from: 0, to: bytes.count - 1, by: 2).map {
      abs(Int(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)))
    }.max() ?? 0
  }

  @Test("The sleep timer fades before standby, and the next station has its usual volume")
  func fade() async throws {
    try await Stage.run {
      let broadcast = Broadcast(.mp3(200), burst: 4)
      let station = try ScriptedStation { [.live()] + broadcast.actions($0) }
      defer { station.close() }
      let box = try Box("", stations: [("One", station.url())])
      try Self.start(box)
      var peer = try ControlPeer(box.socket)
      #expect(peer.request("setvol 100") == [] && Self.sound(in: box, from: 0, atLeast: 3_000) != nil)
      #expect(peer.request("radio_sleep 1") != nil)
      peer = try box.skip(to: 42)
      #expect(Self.becomes { (1..<1_000).contains(Self.peak(of: box)) })
      #expect(peer.status()["volume"] == "100")
      peer = try box.skip(to: 62)
      #expect(peer.waitForValue("1", "standby"))
      let end = box.pcmCount / 4 * 4
      #expect(peer.request("radio_power on") == [] && Self.sound(in: box, from: end, atLeast: 3_000) != nil)
      #expect(try box.switchOff().code == 0)
    }
  }

  private static func becomes(_ isSo: () -> Bool) -> Bool {
    let end = monotonicSeconds() + 20
    while !isSo() {
      guard monotonicSeconds() < end else { return false }
      usleep(50_000)
    }
    return true
  }

  @Test("A wrong alarm is refused in one sentence, and a wrong one in the file leaves the others")
  func refusals() async throws {
    try await Stage.run {
      let box = try Box(Self.settings, stations: [("One", "http://127.0.0.1:1/")])
      let alarms = """
        [[alarm]]
        time = "25:00"
        days = ["mon"]
        station = "One"

        [[alarm]]
        time = "06:30"
        days = ["mon", "tue"]
        station = "One"
        """
      box.folder.write(Array(alarms.utf8), to: "owner.toml")
      try Self.start(box)
      let peer = try ControlPeer(box.socket)
      let listed = try #require(peer.request("radio_alarm"))
      #expect(listed.filter { $0.hasPrefix("alarm: ") } == ["alarm: 1"] && listed.contains("days: mon,tue"))
      for (command, words) in [
        ("add 25:00 daily One", "no time 25:00"), ("add 06:30 noday One", "no days noday"),
        ("add 06:30 daily Nothing", "no station \"Nothing\""), ("add 06:30 daily One volume 0", "volume is 1 to 100"),
        ("remove 2", "no alarm 2"), ("snooze", "No alarm rings"), ("stop", "No alarm rings"),
        ("dance", "radio_alarm dance"),
      ] {
        #expect(peer.request("radio_alarm \(command)")?.first?.contains(words) == true, "\(command)")
      }
      #expect(try box.switchOff().code == 0)
    }
  }
}
