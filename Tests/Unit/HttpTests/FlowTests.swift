import Foundation
import Glibc
import Http
import System
import Testing
import Units

@Suite struct FlowTests {
  private static let music = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

  /// A server that sends 300,000 bytes and then performs `last`.
  private func station(_ last: ScriptedServer.Step...) throws -> ScriptedServer {
    try ScriptedServer { _ in [.text("HTTP/1.1 200 OK\r\n\r\n"), .bytes(Self.music)] + last }
  }

  @Test("A pause at every second call loses and repeats nothing")
  func pauses() throws {
    let server = try station()
    defer { server.close() }
    let (engine, listener) = (try HttpEngine(), Listener())
    var calls = 0
    listener.onBytes = { _ in
      calls += 1
      return calls % 2 == 1 ? .pause : .taken
    }
    let transfer = try engine.start(HttpRequest(url: server.url()), handler: listener)
    var pauses = 0
    let isOver = engine.run {
      if transfer.isPaused {
        pauses += 1
        transfer.resume()
      }
      return listener.isOver
    }
    #expect(isOver)
    #expect(pauses > 5)
    #expect(listener.body == Self.music)
    #expect(listener.ends == [.complete])
  }

  @Test("A paused transfer stays silent until resumed")
  func stays() throws {
    let server = try station()
    defer { server.close() }
    let (engine, listener) = (try HttpEngine(), Listener())
    var calls = 0
    listener.onBytes = { _ in
      calls += 1
      return .pause
    }
    let transfer = try engine.start(HttpRequest(url: server.url()), handler: listener)
    #expect(engine.run { transfer.isPaused })
    for _ in 0..<20 { engine.step(timeout: Duration(milliseconds: 5)) }
    #expect(calls == 1)
    transfer.cancel()
    #expect(engine.run { listener.isOver })
    #expect(listener.error == .cancelled)
    #expect(calls == 1)
  }

  /// A segment larger than the window waits for a timer. A file then arrived at half its pace over loopback.
  @Test("A small kernel buffer uses segments that fit many times", arguments: [16_384, nil])
  func segments(_ buffer: Int?) throws {
    let found = Locked<Int32?>(nil)
    let server = try ScriptedServer(onConnection: { connection in
      var (segment, length) = (Int32(0), socklen_t(4))
      getsockopt(connection, Int32(IPPROTO_TCP), TCP_MAXSEG, &segment, &length)
      found.withLock { $0 = segment }
    }) { _ in [.text("HTTP/1.1 200 OK\r\n\r\nabc")] }
    defer { server.close() }
    #expect(try fetch(server.url()) { $0.receiveBuffer = buffer }.text == "abc")
    let segment = try #require(found.withLock { $0 })
    if buffer != nil { #expect(500...1_460 ~= segment) } else { #expect(segment > 1_460) }
  }

  enum Moment: CaseIterable { case beforeStep, head, stop, bytes, resumed, other, end }

  @Test("A cancel is safe at any time, and reported once", arguments: Moment.allCases)
  func cancels(_ moment: Moment) throws {
    let server = try station(.hold)
    defer { server.close() }
    let (engine, listener, other) = (try HttpEngine(), Listener(), Listener())
    let transfer = try engine.start(HttpRequest(url: server.url()), handler: listener)
    var wasResumed = false
    switch moment {
    case .beforeStep: transfer.cancel()
    case .head:
      listener.onHead = {
        transfer.cancel()
        return .go
      }
    case .stop: listener.onHead = { .stop }
    case .bytes:
      listener.onBytes = { _ in
        transfer.cancel()
        return .taken
      }
    case .resumed:
      listener.onBytes = { _ in
        if wasResumed { transfer.cancel() }
        return .pause
      }
    case .other:
      let second = try engine.start(HttpRequest(url: server.url()), handler: other)
      other.onEnd = { transfer.cancel() }
      other.onBytes = { _ in
        second.cancel()
        return .taken
      }
    case .end:
      listener.onBytes = { _ in
        transfer.cancel()
        return .taken
      }
      listener.onEnd = {
        transfer.cancel()
        transfer.resume()
      }
    }
    let isOver = engine.run {
      if transfer.isPaused {
        wasResumed = true
        transfer.resume()
      }
      return listener.isOver
    }
    #expect(isOver)
    engine.step(timeout: .zero)
    #expect(listener.ends == [.failed(.cancelled)])
    #expect(!transfer.isPaused)
  }

  @Test("A handler may start the next transfer at the end of the last")
  func chains() throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\n\r\nsound")
    defer { server.close() }
    let (engine, first, second) = (try HttpEngine(), Listener(), Listener())
    first.onEnd = { _ = try? engine.start(HttpRequest(url: server.url("/2")), handler: second) }
    _ = try engine.start(HttpRequest(url: server.url("/1")), handler: first)
    #expect(engine.run { second.isOver })
    #expect(second.text == "sound")
  }

  @Test("An engine released with active transfers reports nothing")
  func goesAway() throws {
    let server = try station(.hold)
    defer { server.close() }
    let listener = Listener()
    let transfer = try { () throws -> Transfer in
      let engine = try HttpEngine()
      let transfer = try engine.start(HttpRequest(url: server.url()), handler: listener)
      #expect(engine.run { !listener.body.isEmpty })
      return transfer
    }()
    transfer.resume()
    transfer.cancel()
    #expect(listener.ends.isEmpty)
  }

  @Test("A readable descriptor ends the wait, and is reported")
  func watches() throws {
    let engine = try HttpEngine()
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    #expect(!engine.step(timeout: Duration(milliseconds: 5), watching: [descriptor]))
    try pipe.fileHandleForWriting.write(contentsOf: [1])
    #expect(engine.step(timeout: Duration(seconds: 60), watching: [descriptor]))
  }

  @Test("A connection does not outlive its transfer")
  func closes() throws {
    let server = try ScriptedServer(
      .text("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nsound"), .hold)
    defer { server.close() }
    let engine = try HttpEngine()
    for _ in 0..<2 {
      let listener = Listener()
      _ = try engine.start(HttpRequest(url: server.url()), handler: listener)
      #expect(engine.run { listener.isOver })
      #expect(listener.ends == [.complete])
    }
    #expect(server.requests.count == 2)
    #expect(!openSockets().contains(server.port))
  }

  private func openSockets() -> [Int] {
    let folder = "/proc/self/fd"
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return descriptors.compactMap { Int32($0) }.compactMap { descriptor in
      var peer = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &peer) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
      }
      return result == 0 ? Int(UInt16(bigEndian: peer.sin_port)) : nil
    }
  }
}
