import Control
import Foundation
import Panel
import Rooms
import Settings
import System
import TestSupport
import Testing
import Units

@testable import Box

@Suite struct RoomKeeperTests {
  private static func keeper(port: Int, _ output: Configuration.Audio.Output = .snapcast) -> RoomKeeper {
    var settings = Configuration()
    settings.audio.output = output
    settings.snapcast.server = ServerAddress("127.0.0.1:\(port)")
    return RoomKeeper(settings, TestClock(speed: 10).clock) { _ in }
  }

  /// A server with one room, in a group with this mute state.
  private static func server(groupMuted: Bool = false) throws -> LineServer {
    try LineServer { connection in
      guard connection.readLine() != nil else { return }
      let client =
        #"{"id":"a","connected":true,"config":{"name":"Hall","volume":{"percent":50,"muted":false}}}"#
      connection.send(
        #"{"id":1,"result":{"server":{"groups":[{"id":"g","muted":\#(groupMuted),"clients":[\#(client)]}]}}}"# + "\n")
      while connection.readLine() != nil {}
    }
  }

  private static func waits(_ keeper: RoomKeeper, until isSo: (RoomKeeper) -> Bool) -> Bool {
    let end = monotonicSeconds() + 10
    while monotonicSeconds() < end {
      _ = keeper.updateNews()
      if isSo(keeper) { return true }
      usleep(5_000)
    }
    return false
  }

  @Test("A box with its own card contacts no server (M1)")
  func off() throws {
    let server = try Self.server()
    defer { server.close() }
    let keeper = Self.keeper(port: server.port, .alsa)
    #expect(!keeper.isOn && !keeper.updateNews() && keeper.absence == "There are no rooms.")
    #expect(server.connectionCount == 0)
    keeper.finish()
  }

  @Test("A room's change is sent, and shown before its confirmation (M1)")
  func orders() throws {
    let server = try Self.server()
    defer { server.close() }
    let keeper = Self.keeper(port: server.port)
    defer { keeper.finish() }
    #expect(keeper.isOn && keeper.absence?.hasSuffix(" has not answered yet.") == true)
    #expect(Self.waits(keeper) { $0.news.isConnected } && keeper.absence == nil)
    #expect(keeper.apply(.room(1, volume: 20)) == true && keeper.panelRooms.map(\.volume) == [20])
    #expect(keeper.apply(.muteRoom(1, true)) == true && keeper.panelRooms.map(\.isMuted) == [true])
    #expect(keeper.apply(.room(2, volume: 20)) == false && keeper.apply(.playPause) == nil)
  }

  @Test("A room in a muted group stays muted, and a disconnected one stays unchanged (M1)")
  func refusals() throws {
    let server = try Self.server(groupMuted: true)
    let keeper = Self.keeper(port: server.port)
    defer { keeper.finish() }
    #expect(Self.waits(keeper) { $0.news.isConnected })
    #expect(keeper.apply(.muteRoom(1, false)) == false && keeper.panelRooms.map(\.isMuted) == [true])
    server.close()
    #expect(Self.waits(keeper) { !$0.news.isConnected } && keeper.apply(.room(1, volume: 20)) == false)
    #expect(keeper.panelRooms.map(\.isConnected) == [false])
  }

  @Test("A stop makes the thread disconnect before any wait")
  func stops() throws {
    let hasHungUp = Locked(false)
    let server = try LineServer { connection in
      while connection.readLine() != nil {}
      hasHungUp.withLock { $0 = true }
    }
    defer { server.close() }
    let keeper = Self.keeper(port: server.port)
    #expect(Self.waits(keeper) { _ in server.connectionCount == 1 })
    keeper.stop()
    #expect(Self.waits(keeper) { _ in hasHungUp.withLock { $0 } })
    keeper.finish()
    #expect(server.connectionCount == 1)
  }

  @Test(
    "Each fault of a server is a sentence (M1)",
    arguments: [
      (
        RoomFault.unknownHost(code: EAI_NONAME),
        "The snapserver attic.local has no address (Name or service not known); trying again."
      ),
      (
        .unreachable(errno: ECONNREFUSED),
        "The snapserver at attic.local:1705 cannot be reached (connection refused); trying again."
      ),
      (.closed, "The snapserver at attic.local:1705 ended the connection; trying again."),
      (.silent, "The snapserver at attic.local:1705 does not answer; trying again."),
      (.garbled, "What is at attic.local:1705 speaks otherwise than a snapserver does; check [snapcast] server."),
      (.tooLarge, "The snapserver at attic.local:1705 has more rooms than are read; remove clients that are gone."),
    ])
  func sentences(_ fault: RoomFault, _ sentence: String) throws {
    #expect(fault.sentence(try #require(ServerAddress("attic.local:1705"))) == sentence)
  }
}
