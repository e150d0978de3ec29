import Foundation
import StationSupport
import TestSupport
import Testing

/// The box on a message bus.
@Suite(.enabled(if: SessionBus.isInstalled, SessionBus.advice)) struct BoxMprisTests {
  private static func station() throws -> ScriptedStation {
    try ScriptedStation { _ in ListenRig.titled("Nina - Sinnerman") }
  }

  private static func box(_ bus: String, _ station: ScriptedStation) throws -> Box {
    try Box(
      "[mpris]\nbus = \"\(bus)\"\n",
      stations: ["One", "Two", "Three"].map { ($0, station.url("/\($0.lowercased())")) })
  }

  /// The parts of the package's rules and of Debian's rules for the system bus that affect the radio.
  private static let system = """
    <busconfig><type>custom</type><listen>ADDRESS</listen><auth>EXTERNAL</auth>
    <policy context="default"><allow user="*"/><deny own="*"/><deny send_type="method_call"/>
    <allow send_type="signal"/><allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/><allow receive_type="method_call"/>
    <allow receive_type="method_return"/><allow receive_type="error"/><allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus"/></policy><include>RULES</include></busconfig>
    """

  @Test("Clients control a box by keys, presets, volume and time shift, and read station and title")
  func session() async throws {
    try await Stage.run {
      let (bus, station) = (try SessionBus(), try Self.station())
      defer { station.close() }
      let box = try Self.box("session", station)
      let program = try box.start("null", environment: bus.environment)
      #expect(bus.waitFor("Identity", "\"Bakelite\"") && bus.property("CanQuit").contains("false"))
      #expect(bus.waitFor("Player.Metadata", "\"Sinnerman\""))
      let metadata = bus.property("Player.Metadata")
      #expect(metadata.contains("\"Nina\"") && metadata.contains("\"Test FM\""), "\(metadata)")
      let peer = try ControlPeer(box.socket)
      bus.call("Player.Next")
      #expect(bus.waitFor("Player.Metadata", "/two\""))
      for name in ["one", "three"] {
        bus.call("Player.Previous")
        #expect(bus.waitFor("Player.Metadata", "/\(name)\""))
      }
      bus.set("Volume", "double:0.25")
      #expect(peer.waitForNumber("volume") { $0 == 25 })
      #expect(bus.waitFor("Player.Position") { _ in bus.position > 2 } && bus.waitFor("Player.CanSeek", "true"))
      bus.call("Player.Pause")
      #expect(bus.waitFor("Player.PlaybackStatus", "\"Paused\""))
      let place = bus.position
      bus.call("Player.Seek", "int64:-1000000")
      #expect(bus.waitFor("Player.Position") { _ in abs(bus.position - place + 1) < 0.3 })
      bus.call("Player.PlayPause")
      #expect(bus.waitFor("Player.PlaybackStatus", "\"Playing\""))
      bus.call("Player.Stop")
      #expect(bus.waitFor("Player.PlaybackStatus", "\"Stopped\""))
      bus.call("Player.Play")
      #expect(bus.waitFor("Player.PlaybackStatus", "\"Playing\""))
      #expect(bus.call("Quit").contains("NotSupported") && program.isRunning)
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("A box reconnects to a bus that ended, and playback continues meanwhile")
  func reconnects() async throws {
    try await Stage.run {
      let (bus, station) = (try SessionBus(), try Self.station())
      defer { station.close() }
      let box = try Self.box("session", station)
      let program = try box.start("null", environment: bus.environment)
      #expect(bus.waitFor("Identity", "\"Bakelite\""))
      bus.stop()
      #expect(program.waitForError("The session bus closed the connection; the radio tries again."))
      let peer = try ControlPeer(box.socket)
      let place = try #require(peer.status()["position"].flatMap { Double($0) })
      #expect(peer.waitForNumber("position") { $0 > place + 1 })
      try bus.start()
      #expect(bus.waitFor("Player.PlaybackStatus", "\"Playing\""))
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("The package's rules allow a box on the system bus", .enabled(if: getuid() == 0, "needs root"))
  func system() async throws {
    try await Stage.run {
      let rules = Repository.root + "/config/dbus/bakelite.conf"
      let (bus, station) = (try SessionBus(Self.system.replacing("RULES", with: rules)), try Self.station())
      defer { station.close() }
      let box = try Self.box("system", station)
      let program = try box.start("null", environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
      #expect(program.waitForError("find the radio on the system bus"))
      #expect(bus.waitFor("Player.PlaybackStatus", "\"Playing\""))
      if Repository.tool("playerctl") == nil {
        print("Skipped: playerctl, which is not installed")
      } else {
        _ = bus.run("playerctl", "-p", "bakelite", "pause")
        #expect(bus.waitFor("Player.PlaybackStatus", "\"Paused\""))
      }
      if let send = Repository.tool("dbus-send"), Repository.tool("setpriv") != nil {
        let target = ["--session", "--print-reply", "--dest=\(SessionBus.player)", "/org/mpris/MediaPlayer2"]
        let stranger = ["--reuid=65534", "--clear-groups", send] + target + ["org.mpris.MediaPlayer2.Player.Play"]
        #expect(chmod(bus.folder.path, 0o755) == 0)
        #expect(bus.output(of: "setpriv", stranger).contains("AccessDenied"))
        // Longer than the radio accepts: the radio would leave the bus before it answers the next call.
        let long = "array:int32:" + String(repeating: "1,", count: 30_000) + "1"
        let signal = ["--session", "--type=signal", "--dest=\(SessionBus.player)", "/signal", "org.a.Signal", long]
        _ = bus.output(of: "setpriv", ["--reuid=65534", "--clear-groups", send] + signal)
        #expect(bus.property("Identity").contains("\"Bakelite\""))
      }
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("Without the setting, libsystemd is not loaded and no bus is connected")
  func off() async throws {
    try await Stage.run {
      let (bus, station) = (try SessionBus(), try Self.station())
      defer { station.close() }
      for setting in ["none", "session"] {
        let box = try Self.box(setting, station)
        let program = try box.start("null", environment: bus.environment)
        #expect(box.manager.receives("READY=1"))
        let peer = try ControlPeer(box.socket)
        #expect(peer.waitForValue("playing"))
        if setting == "session" { #expect(bus.waitFor("Identity", "\"Bakelite\"")) }
        #expect(try MprisTests.hasLoaded(program) == (setting == "session"))
        #expect(bus.property("Identity").contains("Error") == (setting == "none"))
        #expect(try box.switchOff().code == 0)
      }
    }
  }
}
