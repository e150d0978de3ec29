import Foundation
import StationSupport
import System
import TestSupport
import Testing

/// Each order to be silent works in each state from each door, and the radio stays silent (I1).
@Suite(.enabled(if: Shim.works, "needs clang, and no sanitizer"))
struct IntentTests {
  enum Door: String, CaseIterable {
    case panel, mpd, mpc, ctl, mqtt, web

    /// The doors that can be tested here.
    static var present: [Door] {
      allCases.filter { ($0 != .mqtt || Mosquitto.isInstalled) && ($0 != .mpc || House.mpc != nil) }
    }
  }

  enum State: String, CaseIterable {
    case playing, connecting, paused, stopped, standby, givenUp
  }

  enum Order: String, CaseIterable {
    case power, stop, pause

    /// The intent after this order.
    func intent(after state: State) -> String {
      switch (self, state) {
      case (.power, _), (_, .standby): "standby"
      case (.pause, .playing), (.pause, .connecting), (.pause, .paused): "paused"
      case (.stop, _), (.pause, _): "stopped"
      }
    }
  }

  @Test(
    "Power off, stop and pause act in each state from each door; the station is not played again (I1)",
    arguments: Door.present)
  func table(_ door: Door) async throws {
    try await Stage.run {
      let house = try House(door)
      defer { house.station.close() }
      for state in State.allCases {
        for order in Order.allCases where house.has(order, in: state) {
          try house.enter(state)
          let visits = house.station.visits.count
          try house.give(order)
          let intent = order.intent(after: state)
          #expect(house.peer.waitForValue(intent, "intent"), "\(order) by \(door) while \(state)")
          if state == .givenUp { try house.passRetry() }
          let status = house.peer.status()
          let expected = intent == "paused" ? "paused" : "stopped"
          #expect(
            status["state"] == expected && status["intent"] == intent, "\(order) by \(door) while \(state): \(status)")
          #expect(status["standby"] == (intent == "standby" ? "1" : "0"))
          // A radio that connects may try a second connection before the order.
          if state != .connecting {
            #expect(house.station.visits.count == visits, "\(order) by \(door) while \(state)")
          }
        }
      }
      #expect(try house.box.switchOff().code == 0)
    }
  }

  @Test("The power key, and power on from each door, play the last station after standby (I1)", arguments: Door.present)
  func powerOn(_ door: Door) async throws {
    try await Stage.run {
      let house = try House(door)
      defer { house.station.close() }
      try house.enter(.standby)
      try house.turnOn()
      #expect(house.peer.waitForValue("playing") && house.peer.status()["intent"] == "playing")
      #expect(try house.box.switchOff().code == 0)
    }
  }
}

/// A box with one station and the parts that a door needs.
private final class House {
  static let mpc = Repository.tool("mpc")

  let station: ScriptedStation
  let box: Box
  private(set) var peer: ControlPeer
  private let door: IntentTests.Door
  private let air: Locked<Air>
  private let broker: Mosquitto?
  private var topic = ""
  private var browser: Browser?
  private var web: Program?
  private var ahead = 0

  enum Air { case music, silence, missing }

  init(_ door: IntentTests.Door) throws {
    self.door = door
    let air = Locked(Air.music)
    self.air = air
    station = try ScriptedStation { _ in
      switch air.withLock({ $0 }) {
      case .music: StationAction.onAir(.mp3(60))
      case .silence: [.stall]
      case .missing: StationAction.response("404 Not Found")
      }
    }
    broker = door == .mqtt ? try Mosquitto() : nil
    let settings = broker.map { "[mqtt]\nserver = \"localhost:\($0.port)\"\n" } ?? ""
    box = try Box(settings, stations: [("One", station.url("/one"))])
    try box.start(
      "null", preload: try Shim("clock"), environment: ["BAKELITE_AHEAD": box.folder.path + "/ahead"])
    guard box.manager.receives("STATUS=playing") else { throw POSIXError(.ETIMEDOUT) }
    peer = try ControlPeer(box.socket)
    if door == .mqtt { try connectToBroker() }
    if door == .web { try openPage() }
  }

  deinit { web?.signal(SIGKILL) }

  private func connectToBroker() throws {
    guard let broker else { return }
    let all = try broker.subscribe()
    defer { all.close() }
    topic = try #require(all.waitForTopic(endingWith: "/availability")).replacing("/availability", with: "/set/")
    #expect(peer.waitForValue("connected", "mqtt"))
  }

  private func openPage() throws {
    let port = try Loopback.freePort()
    box.folder.write(Array("<!doctype html>".utf8), to: "index.html")
    let web = try Program(
      ["--listen", "127.0.0.1:\(port)", "--files", box.folder.path, "--socket", box.socket], name: "bakelite-web")
    guard web.waitForError("Code: "), let code = web.errorsSoFar.firstMatch(of: /Code: (\w+)/) else {
      throw POSIXError(.ETIMEDOUT)
    }
    self.web = web
    let browser = try Browser(port)
    #expect(try browser.signIn(String(code.1)).status == 200)
    self.browser = browser
  }

  /// False for a key of the panel that has the opposite effect in this state.
  func has(_ order: IntentTests.Order, in state: IntentTests.State) -> Bool {
    if door == .mpc { return order != .power }
    guard door == .panel else { return true }
    switch order {
    case .stop: return true
    case .power: return ![.stopped, .standby].contains(state)
    case .pause: return [.playing, .connecting].contains(state)
    }
  }

  func enter(_ state: IntentTests.State) throws {
    air.withLock { $0 = state == .givenUp ? .missing : state == .connecting ? .silence : .music }
    let visits = station.visits.count
    #expect(peer.request("radio_tune 1") == [])
    let end = monotonicSeconds() + 10
    while station.visits.count == visits, monotonicSeconds() < end { usleep(2_000) }
    switch state {
    case .playing: #expect(peer.waitForValue("playing"))
    case .connecting: #expect(peer.waitForValue("connecting"))
    case .paused:
      #expect(peer.waitForValue("playing") && peer.request("pause 1") == [] && peer.waitForValue("paused"))
    case .stopped: #expect(peer.waitForValue("playing") && peer.request("stop") == [])
    case .standby: #expect(peer.waitForValue("playing") && peer.request("radio_power off") == [])
    case .givenUp: #expect(peer.waitForValue("stopped") && peer.status()["intent"] == "playing")
    }
    // The station is heard again, if the radio tries.
    if state == .givenUp { air.withLock { $0 = .music } }
  }

  func give(_ order: IntentTests.Order) throws {
    switch door {
    case .panel:
      let key = order == .pause ? "play_pause" : order.rawValue
      #expect(peer.request("radio_press \(key)") == [])
    case .mpd:
      let commands: [IntentTests.Order: String] = [.power: "radio_power off", .stop: "stop", .pause: "pause 1"]
      #expect(peer.request(commands[order] ?? "") == [])
    case .mpc: #expect(try callMpc(order.rawValue) == 0)
    case .ctl:
      let words: [IntentTests.Order: [String]] = [.power: ["power", "off"], .stop: ["stop"], .pause: ["pause", "1"]]
      #expect(try Program(["ctl", "--socket", box.socket] + (words[order] ?? [])).waitForEnd().code == 0)
    case .mqtt:
      #expect(peer.waitForValue("connected", "mqtt"))
      // The radio drops orders above four a second.
      usleep(260_000)
      try broker?.publish(topic + order.rawValue, order == .power ? "OFF" : "PRESS")
    case .web:
      let body = order == .power ? "{\"on\":false}" : nil
      #expect(try request(order.rawValue, body) == 200)
    }
  }

  func turnOn() throws {
    switch door {
    case .panel: #expect(peer.request("radio_press power") == [])
    case .mpd: #expect(peer.request("radio_power on") == [])
    case .mpc: #expect(try callMpc("play") == 0)
    case .ctl: #expect(try Program.run("ctl", "--socket", box.socket, "power", "on").code == 0)
    case .mqtt: try broker?.publish(topic + "power", "ON")
    case .web: #expect(try request("power", "{\"on\":true}") == 200)
    }
  }

  /// Returns the exit code of mpc.
  private func callMpc(_ order: String) throws -> Int32? {
    guard let mpc = Self.mpc else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: mpc)
    process.arguments = ["--quiet", "--host", box.socket, order]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Posts an order once the panel is connected to the box.
  private func request(_ path: String, _ body: String?) throws -> Int? {
    guard let browser else { return nil }
    let end = monotonicSeconds() + 20
    while try browser.request("GET", "/api/status").status != 200, monotonicSeconds() < end { usleep(20_000) }
    return try browser.request("POST", "/api/\(path)", body).status
  }

  /// Passes the time of the retry, and waits until the box has read the clock twice.
  func passRetry() throws {
    ahead += 61
    peer = try box.skip(to: ahead)
    for _ in 0..<3 { #expect(peer.request("ping") == []) }
  }
}
