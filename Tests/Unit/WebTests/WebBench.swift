import Foundation
import System
import TestSupport
import Units

@testable import Web

/// A web panel on its own thread, for a fake radio.
final class WebBench {
  static let code = "ABCD2345"

  let folder = TemporaryFolder()
  private(set) var radio: FakeRadio?
  private(set) var port = 0
  /// Stops the server.
  let stop: SharedWakeFlag
  private let done = DispatchSemaphore(value: 0)
  private let over: Locked<Bool>

  /// Starts a panel on the test's clock. `edit` changes its options, `orders` is the radio's first reply, `read`
  /// reads recordings.
  init(
    hasRadio: Bool = true, follows orders: WebOrders? = nil,
    _ edit: (inout WebOptions, TemporaryFolder) -> Void = { _, _ in },
    read: @escaping BlockReaders.Read = { file, offset, room in file.read(at: offset, into: room) }
  ) throws {
    let page = folder.path + "/page"
    try FileManager.default.createDirectory(atPath: page + "/text", withIntermediateDirectories: true)
    folder.write(Array("<!doctype html><title>Bakelite</title>".utf8), to: "page/index.html")
    folder.write(Array("export const a = 1;".utf8), to: "page/core.js")
    folder.write(Array("{\"a\":\"b\"}".utf8), to: "page/text/en.json")
    folder.write(Array("secret".utf8), to: "page/.hidden.txt")
    folder.write(Array("{}".utf8), to: "page/openapi.json")
    var options = WebOptions()
    options.listen = ListenAddress("127.0.0.1:0").map { [$0] } ?? []
    options.files = page
    options.socket = folder.path + "/socket"
    edit(&options, folder)
    if hasRadio {
      radio = try FakeRadio(options.socket)
      if let orders { radio?.set { $0.answers["radio_web"] = orders.lines.map { "\($0.key): \($0.value)" } } }
    }
    let (clock, done, given) = (TestClock.current.clock, done, options)
    let made = Locked<(stop: SharedWakeFlag, port: Int)?>(nil)
    let (failed, over) = (Locked<WebError?>(nil), Locked(false))
    self.over = over
    let ready = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do throws(WebError) {
        let server = try WebServer(given, code: Self.code, clock, read: read)
        if let orders { server.follow(orders) }
        made.withLock { $0 = (server.stop, server.places.first.map { Int($0.port) } ?? 0) }
        ready.signal()
        server.run()
        over.withLock { $0 = true }
      } catch {
        failed.withLock { $0 = error }
        ready.signal()
      }
      done.signal()
    }
    ready.wait()
    guard let made = made.withLock({ $0 }) else { throw failed.withLock { $0 } ?? .noDaemon }
    (stop, port) = made
    if hasRadio { waits { self.radio?.isHeard == true } }
  }

  deinit {
    stop.flag.raise()
    done.wait()
    radio?.stop()
  }

  /// True if the server has ended.
  var isOver: Bool { over.withLock { $0 } }

  /// Starts another radio at the same path.
  func restartRadio(_ edit: (inout FakeRadio.State) -> Void = { _ in }) throws {
    radio?.stop()
    radio = try FakeRadio(folder.path + "/socket", edit)
  }

  func stopRadio() {
    radio?.stop()
    radio = nil
  }

  func browser(signsIn: Bool = true, from: String = "127.0.0.1") throws -> Browser {
    let browser = try Browser(port, from: from)
    guard signsIn else { return browser }
    // The panel disconnects a client whose request it reads late.
    let isIn = waits {
      if (try? browser.signIn()) != nil { return true }
      try? browser.reconnect()
      return false
    }
    guard isIn else { throw Browser.Disconnected() }
    return browser
  }

  /// Requests a path until the response has this status, for up to 60 s. Connects again after an error: the panel
  /// disconnects a client that was idle.
  func waits(for status: Int, by browser: Browser, _ method: String, _ path: String) -> Bool {
    waits {
      do {
        return try browser.request(method, path).status == status
      } catch {
        try? browser.reconnect()
        return false
      }
    }
  }

  /// Waits up to 60 s for `isSo`, and returns false if it stays false.
  @discardableResult
  func waits(_ isSo: () throws -> Bool) rethrows -> Bool {
    let end = ProcessInfo.processInfo.systemUptime + 60
    while ProcessInfo.processInfo.systemUptime < end {
      if try isSo() { return true }
      usleep(5_000)
    }
    return false
  }
}
