import Foundation
import StationSupport
import System
import TestSupport
import Testing

/// The box in Home Assistant, by a real broker (M2).
@Suite(.enabled(if: Mosquitto.isInstalled, "mosquitto is not here: apt-get install mosquitto mosquitto-clients"))
struct BoxHomeTests {
  private struct Home {
    let broker: Mosquitto
    let all: Mosquitto.Subscriber
    let box: Box
    let base: String

    init(_ station: ScriptedStation, _ more: String = "") throws {
      broker = try Mosquitto()
      all = try broker.subscribe()
      box = try Box(
        "[mqtt]\nserver = \"localhost:\(broker.port)\"\ndevice_name = \"Kitchen\"\n" + more,
        stations: [("One", station.url("/one")), ("Two", station.url("/two"))])
      try box.start("null")
      let topic = try #require(all.waitForTopic(endingWith: "/availability"))
      base = String(topic.dropLast("/availability".count))
    }

    func publishes(_ words: String) -> Bool { all.waitForMessage(base + "/state") { $0.contains(words) } }

    func order(_ word: String, _ text: String = "PRESS") throws { try broker.publish("\(base)/set/\(word)", text) }
  }

  private static func station() throws -> ScriptedStation {
    try ScriptedStation { _ in StationAction.onAir(.mp3(60)) }
  }

  @Test("Orders from Home Assistant control the radio, and the effect is published (M2)")
  func orders() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let home = try Home(station)
      defer { home.all.close() }
      #expect(home.publishes("\"state\":\"playing\"") && home.publishes("\"preset\":\"One\""))
      try home.order("volume", "23")
      #expect(home.publishes("\"volume\":23"))
      try home.order("station", "Two")
      #expect(home.publishes("\"preset\":\"Two\"") && home.publishes("\"state\":\"playing\""))
      try home.order("pause")
      #expect(home.publishes("\"state\":\"paused\""))
      try home.order("play")
      #expect(home.publishes("\"state\":\"playing\""))
      try home.order("next")
      #expect(home.publishes("\"preset\":\"One\""))
      let peer = try ControlPeer(home.box.socket)
      #expect(peer.status()["mqtt"] == "connected" && peer.status()["volume"] == "23")
      let told = try Program.run("ctl", "--socket", home.box.socket, "status").outputText
      #expect(told.contains("\nHome Assistant: connected"), "\(told)")
      #expect(peer.request("radio_preset add Three http://127.0.0.1:9/") == [])
      #expect(
        home.all.waitForMessage("homeassistant/select/\(home.base.replacing("/", with: "_"))/station/config") {
          $0.contains("\"options\":[\"One\",\"Two\",\"Three\"]") && $0.contains("\"name\":\"Kitchen\"")
        })
      #expect(try home.box.switchOff().code == 0)
      #expect(home.all.waitForMessage(home.base + "/availability") { $0 == "offline" })
    }
  }

  @Test("A fallback is published with its reason and the next attempt, and its end (M2, F7)")
  func fallback() async throws {
    try await Stage.run {
      let station = try ScriptedStation { visit in
        visit.path == "/one" ? StationAction.response("404 Not Found") : StationAction.onAir(.mp3(60))
      }
      defer { station.close() }
      let home = try Home(station, "[continuity]\nfallback = [\"Two\"]\n")
      defer { home.all.close() }
      #expect(home.publishes("\"source\":\"Two\",\"source_instead_of\":\"One\",\"source_reason\":\""))
      #expect(
        home.all.waitForMessage(home.base + "/state") {
          $0.contains("404") && $0.contains("\"source_since\":\"2") && $0.contains("\"source_next\":\"2")
        })
      // The display and the log have the same words.
      let peer = try ControlPeer(home.box.socket)
      #expect(peer.waitForDisplay("Instead of One") && peer.waitForDisplay("Two"))
      try home.order("station", "Two")
      #expect(home.publishes("\"source\":\"none\""))
      let outcome = try home.box.switchOff()
      #expect(outcome.code == 0)
      let line = outcome.errors.split(separator: "\n").first { $0.contains("Two plays instead of One. ") }
      #expect(line?.contains("404") == true && line?.contains("One is tried again in 10 s.") == true)
    }
  }

  @Test("An unchanged radio neither wakes the link nor sends anything (M2)")
  func rests() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let home = try Home(station)
      defer { home.all.close() }
      #expect(home.publishes("\"state\":\"playing\""))
      let program = try #require(home.box.program)
      // Waits for the last report after buffering.
      usleep(1_000_000)
      let (wakes, messages) = (program.wakeCount(of: "bk-mqtt"), home.all.messages.count)
      usleep(3_000_000)
      #expect(wakes != nil && program.wakeCount(of: "bk-mqtt") == wakes && home.all.messages.count == messages)
      #expect(try home.box.switchOff().code == 0)
    }
  }

  @Test("The broker announces a killed radio as offline (M2)")
  func lastWill() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let home = try Home(station)
      defer { home.all.close() }
      #expect(
        home.publishes("\"state\":\"playing\"")
          && home.all.waitForMessage(home.base + "/availability") { $0 == "online" })
      home.box.program?.signal(SIGKILL)
      #expect(home.all.waitForMessage(home.base + "/availability") { $0 == "offline" })
      let late = try home.broker.subscribe()
      defer { late.close() }
      #expect(
        late.waitForMessage(home.base + "/availability") { $0 == "offline" } && late.messages.allSatisfy(\.isRetained))
      try home.box.start("null")
      #expect(
        home.all.waitForMessage(home.base + "/availability") { $0 == "online" }
          && home.publishes("\"state\":\"playing\""))
      #expect(try home.box.switchOff().code == 0)
    }
  }

  @Test("A stalled broker delays neither start, playback nor end (M2)")
  func standsStill() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let broker = try Mosquitto()
      broker.signal(SIGSTOP)
      defer { broker.signal(SIGCONT) }
      let box = try Box(
        "[mqtt]\nserver = \"localhost:\(broker.port)\"\n", stations: [("One", station.url("/one"))])
      try box.start("null")
      #expect(box.manager.receives("STATUS=playing: One"))
      let outcome = try box.switchOff()
      #expect(outcome.code == 0 && outcome.errors.contains(" 0 underruns"), "\(outcome.errors)")
    }
  }

  /// Sends 10,000 messages a second for `seconds`; most of them set the volume.
  private static func flood(_ descriptor: Int32, _ base: String, seconds: Double) -> Int {
    let topics = ["/set/volume", "/set/volume", "/set/none", "/set/station", "/set/volume"]
    let batch = (0..<100).map { number in
      let text = number % 5 == 3 ? String(repeating: "x", count: 200) : "\(number)"
      return FakeBroker.publish(base + topics[number % 5], Array(text.utf8))
    }
    let (bytes, start) = (Array(batch.joined()), monotonicSeconds())
    var sent = 0
    while monotonicSeconds() - start < seconds, FakeBroker.send(descriptor, bytes) {
      sent += batch.count
      let ahead = Double(sent) / 10_000 - (monotonicSeconds() - start)
      if ahead > 0 { usleep(useconds_t(ahead * 1e6)) }
    }
    return sent
  }

  /// Seconds until a response, as the 90th percentile.
  private static func answerTime(_ peer: ControlPeer) -> Double {
    let times = (0..<100).map { _ in
      let start = monotonicSeconds()
      _ = peer.request("status")
      usleep(5_000)
      return monotonicSeconds() - start - 0.005
    }
    return times.sorted()[90]
  }

  @Test("A broker that sends garbage, then 10,000 messages a second, disturbs nothing and fills nothing (M2)")
  func floods() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let (isRefused, isSteady, isFlooded, isOver) = (Gate(), Gate(), Gate(), Gate())
      let sent = Locked(0)
      let broker = try FakeBroker { descriptor in
        let base = FakeBroker.acceptClient(descriptor)
        if !isRefused.isOpen {
          FakeBroker.send(descriptor, (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 41 ^ $0 >> 3) })
          return FakeBroker.drain(descriptor)
        }
        Thread.detachNewThread { FakeBroker.drain(descriptor) }
        guard isSteady.wait(20) else { return }
        let count = Self.flood(descriptor, base, seconds: 3)
        sent.withLock { $0 = count }
        isFlooded.open()
        isOver.wait(20)
      }
      defer { broker.close() }
      let box = try Box("[mqtt]\nserver = \"127.0.0.1:\(broker.port)\"\n", stations: [("One", station.url())])
      let program = try box.start("null")
      #expect(box.manager.receives("STATUS=playing: One"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.waitForText("sends what is no MQTT", "mqtt_fault"))
      isRefused.open()
      #expect(peer.waitForText("connected", "mqtt"))
      let (before, memory) = (Self.answerTime(peer), program.anonymousKibibytes)
      isSteady.open()
      let during = (0..<4).map { _ in Self.answerTime(peer) }.max() ?? 0
      #expect(isFlooded.wait(20))
      #expect(box.punctuality.holdsUnlessLate(during < before + 0.05), "\(before) \(during)")
      #expect(program.anonymousKibibytes - memory < 2_048)
      #expect(box.punctuality.holdsUnlessLate(sent.withLock { $0 } > 20_000))
      isOver.open()
      let outcome = try box.switchOff()
      #expect(outcome.code == 0 && outcome.errors.contains(" 0 underruns"), "\(outcome.errors)")
    }
  }

  @Test(
    "A stalled broker is dropped after an unanswered ping, and gets the newest state later (M2)",
    .enabled(if: Shim.works, "needs clang, and no sanitizer"))
  func keepAlive() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let broker = try Mosquitto()
      let box = try Box(
        "[mqtt]\nserver = \"localhost:\(broker.port)\"\n", stations: [("One", station.url("/one"))])
      try box.start(
        "null", preload: try Shim("clock"), environment: ["BAKELITE_AHEAD": box.folder.path + "/ahead"])
      #expect(box.manager.receives("STATUS=playing: One"))
      var peer = try ControlPeer(box.socket)
      #expect(peer.waitForText("connected", "mqtt"))
      broker.signal(SIGSTOP)
      defer { broker.signal(SIGCONT) }
      // The link sends a ping after one minute, and expects the reply within another.
      for (volume, ahead) in [(10, 62), (11, 124)] {
        #expect(peer.status()["mqtt"] == "connected")
        peer = try box.skip(to: ahead)
        #expect(peer.request("setvol \(volume)") == [])
      }
      // On a busy machine the ping may follow the second step of the clock.
      if !peer.waitForText("no longer answers", "mqtt_fault") { peer = try box.skip(to: 190) }
      #expect(peer.waitForText("no longer answers", "mqtt_fault") && peer.status()["audible"] == "1")
      broker.signal(SIGCONT)
      let all = try broker.subscribe()
      defer { all.close() }
      peer = try box.skip(to: 270)
      #expect(peer.request("setvol 12") == [] && peer.waitForText("connected", "mqtt"))
      let topic = try #require(all.waitForTopic(endingWith: "/state"))
      #expect(all.waitForMessage(topic) { $0.contains("\"volume\":12") })
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("doctor visits the broker, and names the remedy for a fault (M2)")
  func doctor() async throws {
    try await Stage.run {
      let broker = try Mosquitto()
      let folder = TemporaryFolder()
      folder.write(Array("radio:sesame\n".utf8), to: "user")
      folder.write(Array("sesame\n".utf8), to: "wrong")
      func look(_ lines: String) throws -> (line: String, errors: String) {
        folder.write(Array("[mqtt]\n\(lines)\n".utf8), to: "bakelite.toml")
        let run = try Program.run("doctor", "--json", "--config", folder.path + "/bakelite.toml")
        return (
          run.outputText.split(separator: "\n").first { $0.contains("\"check\":\"mqtt\"") }.map(String.init) ?? "",
          run.errors
        )
      }
      let name = "localhost:\(broker.port)"
      #expect(try look("server = \"\"").line == "")
      #expect(try look("server = \"\"\nuser_file = \"/nonexistent\"").line.contains("\"ok\",\"message\":\"No broker"))
      #expect(
        try look("server = \"\(name)\"").line.contains("\"ok\",\"message\":\"The broker \(name) accepts the radio.\""))
      let closed = try Mosquitto.freePort()
      let cases = [
        ("server = \"localhost:\(closed)\"", "No connection to localhost:\(closed)", "listener \(closed)"),
        ("server = \"\(name)\"\ntls = true", "No encrypted connection", "tls = false"),
        ("server = \"8.8.8.8\"", "8.8.8.8:1883 is not in your own network", "tls = true"),
        ("server = \"\(name)\"\nuser_file = \"/nonexistent\"", "/nonexistent: it cannot be read", "user_file"),
        (
          "server = \"\(name)\"\nuser_file = \"\(folder.path)/wrong\"", "its first line is not NAME:PASSWORD",
          "sudo nano \(folder.path)/wrong"
        ),
        ("server = \"\(name)\"\nuser_file = \"\(folder.path)\"", "is a folder", "path of an existing file"),
        ("server = \"\(name)\"\n[audio]\noutput = \"room\"", "no effect", "on the radio's box"),
        ("server = \"\(name)\"\nuser_file = \"none.such\"", "which is not in /etc/credstore", "sudo install"),
      ]
      for (lines, words, mend) in cases {
        let found = try look(lines).line
        #expect(!found.contains("sesame"))
        #expect(found.contains("\"problem\"") && found.contains(words) && found.contains(mend), "\(found)")
      }
      let strict = try Mosquitto("allow_anonymous false")
      let refused = try look("server = \"localhost:\(strict.port)\"\nuser_file = \"\(folder.path)/user\"").line
      #expect(refused.contains("does not accept the user or the password") && refused.contains("mosquitto_passwd"))
      #expect(!refused.contains("sesame"))
    }
  }
}
