import AudioOutput
import CLinux
import Foundation
import Network
import Radio
import TestSupport
import Units

@testable import Control

/// A radio without a sound, a desk over it, and the protocol over that.
final class Bench {
  let desk: RadioDesk
  let commands: RadioCommands
  /// What was told to have changed, a set for each time.
  private(set) var changes: [Set<Subsystem>] = []
  private(set) var events: [String] = []

  init(_ access: ControlAccess = ControlAccess(), isPaced: Bool = false) throws {
    var settings = RadioSettings()
    settings.blockCount = 64
    var output = OutputRequest(.null)
    output.isPaced = isPaced
    desk = RadioDesk(try Radio(settings, output))
    commands = RadioCommands(desk, RadioCommands.Facts(version: "1.2.3"), access)
    desk.onChange = { [unowned self] in
      changes.append($0)
      commands.note($0)
    }
    desk.radio.onEvent = { [unowned self] event, _ in
      events.append(event.name)
      desk.handle(event)
    }
  }

  deinit {
    desk.radio.onEvent = { _, _ in }
    _ = desk.radio.close()
  }

  /// A client without a socket.
  func client(isLocal: Bool = true) -> Client { Client(commands.open(isLocal: isLocal), self) }

  /// Adds stations that are never tuned to.
  func add(_ names: String...) { for name in names { desk.add(StationRequest(url: "http://radio.example/\(name)")) } }

  /// The last parts of the addresses in the queue.
  var names: [String] { desk.queue.stations.map { String($0.request.url.unredacted.split(separator: "/").last ?? "") } }

  /// Lets the radio run until something is so.
  func run(_ seconds: Double = 10, until isDone: () -> Bool) -> Bool {
    let end = monotonicSeconds() + seconds
    while !isDone() {
      guard monotonicSeconds() < end else { return false }
      desk.radio.step(MonotonicTime(milliseconds: 5))
      desk.settle()
    }
    return true
  }
}

/// One side of a conversation.
final class Client {
  let session: ControlSession
  private let bench: Bench

  init(_ session: ControlSession, _ bench: Bench) {
    (self.session, self.bench) = (session, bench)
    _ = heard
  }

  /// All that came since it was asked last.
  var heard: String {
    let text = String(decoding: session.outgoing, as: UTF8.self)
    session.sent(session.outgoing.count)
    return text
  }

  /// Sends lines; what is answered.
  func ask(_ text: String) -> String {
    session.receive(Array((text + "\n").utf8))
    session.work()
    bench.desk.settle()
    return heard
  }

  /// The answer to one command as pairs.
  func pairs(_ command: String) -> [(key: String, value: String)] {
    ask(command).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1].drop { $0 == " " })) : nil
    }
  }

  /// A value of an answer.
  func value(_ key: String, of command: String) -> String? { pairs(command).first { $0.key == key }?.value }

  /// The values of a key in an answer.
  func values(_ key: String, of command: String) -> [String] { pairs(command).filter { $0.key == key }.map(\.value) }
}
