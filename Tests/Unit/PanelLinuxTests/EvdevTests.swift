import CLinux
import Foundation
import PanelLinux
import Testing
import Units

/// The kernel's input devices, with events from a pipe.
struct EvdevTests {
  @Test func keysBecomeButtons() throws {
    let pipe = try EventPipe(["KEY_PLAYPAUSE": "play", "BTN_0": "knob", "352": "select"])
    pipe.send([(1, 164, 1), (0, 0, 0), (1, 164, 2), (0, 0, 0), (1, 164, 0), (0, 0, 0), (1, 30, 1), (1, 352, 1)])
    pipe.send([(1, 0x100, 1), (1, 0x100, 0)])
    #expect(bk_wait_readable(pipe.device.descriptor, 0) == 1)
    let events = try pipe.events()
    #expect(events.map(\.control) == ["play", "play", "select", "knob", "knob"])
    #expect(events.map(\.change) == [.pressed, .released, .pressed, .pressed, .released])
    let times: [Int64] = [0, 4, 7, 8, 9]
    #expect(events.map { $0.time.nanoseconds - 1_000_000_000_000 } == times.map { 1000 * $0 })
    #expect(bk_wait_readable(pipe.device.descriptor, 0) == 0)
  }

  @Test(
    "An axis becomes turns",
    arguments: [
      ("REL_X", 2, 0, [1, -1, 3, 0], [1, -1, 3]),
      ("REL_DIAL", 2, 7, [-2], [-2]),
      ("ABS_WHEEL", 3, 8, [5, 6, 5, 5, 0, 23, 22, 1], [1, -1, -5, -1, -1, 3]),
    ] as [(String, UInt16, UInt16, [Int32], [Int])])
  func axesBecomeTurns(_ name: String, _ type: UInt16, _ code: UInt16, _ values: [Int32], _ turns: [Int]) throws {
    let pipe = try EventPipe([name: "knob"], ranges: [8: 0...23])
    pipe.send(values.map { (type, code, $0) })
    #expect(try pipe.events().map(\.change) == turns.map { .turned($0) })
  }

  @Test func whatTheKernelDroppedIsNotPlayedAndNothingStaysPressed() throws {
    let pipe = try EventPipe(["KEY_UP": "up", "KEY_DOWN": "down"])
    pipe.send([(1, 103, 1), (0, 0, 0), (0, 3, 0), (1, 108, 1), (1, 103, 0), (0, 0, 0), (1, 108, 1), (0, 0, 0)])
    let events = try pipe.events()
    #expect(events.map(\.control) == ["up", "up", "down"])
    #expect(events.map(\.change) == [.pressed, .released, .pressed])
  }

  @Test func aDeviceThatGoesLetsItsButtonsUp() throws {
    let pipe = try EventPipe(["KEY_UP": "up"])
    pipe.send([(1, 103, 1)])
    pipe.end()
    #expect(try pipe.device.next()?.change == .pressed)
    #expect(try pipe.device.next()?.change == .released)
    #expect(throws: HardwareError.gone("The input device \"pipe\"")) { try pipe.device.next() }
  }

  @Test func halfAnEventIsNone() throws {
    let pipe = try EventPipe(["KEY_UP": "up"])
    pipe.send(bytes: [UInt8](repeating: 1, count: 7))
    #expect(throws: HardwareError.gone("The input device \"pipe\"")) { try pipe.device.next() }
  }

  @Test(
    "Names of keys and axes are known",
    arguments: ["KEY_A", "KEY_VOLUMEUP", "KEY_KP5", "BTN_SELECT", "REL_WHEEL", "767"])
  func namesAreKnown(_ name: String) throws { _ = try KeyMap([name: "x"]) }

  @Test("Other names are refused", arguments: ["KEY_PLAYPUASE", "", "key_a", "768", "-1", "KEY_\u{1B}[2J"])
  func namesAreRefused(_ name: String) {
    #expect(throws: HardwareError.unknownKey(name)) { try KeyMap([name: "x"]) }
    #expect(!HardwareError.unknownKey(name).description.contains("\u{1B}"))
  }

  @Test func aMissingDeviceIsASentence() throws {
    let keys = try KeyMap([:])
    #expect(throws: HardwareError.noSuchInput("/dev/input/event-none", existing: [])) {
      try EvdevDevice("/dev/input/event-none", keys: keys)
    }
    #expect(throws: HardwareError.self) { try EvdevDevice("no such remote", keys: keys) }
    #expect(throws: HardwareError.failed("The input device \"/dev/null\"", errno: NoDevice.answer)) {
      try EvdevDevice(NoDevice.path, keys: keys)
    }
    #expect(
      "\(HardwareError.noSuchInput("IR", existing: ["gpio-keys", "USB Keypad"]))"
        == "There is no input device \"IR\"; there are: gpio-keys, USB Keypad. Name one of them in the board file.")
  }
}

/// A device that reads its events from a pipe.
private final class EventPipe {
  let device: EvdevDevice
  private let writes: Int32
  private var moment: Int64 = 0

  init(_ names: [String: String], ranges: [UInt16: ClosedRange<Int>] = [:]) throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
    writes = ends[1]
    device = EvdevDevice(descriptor: ends[0], name: "pipe", keys: try KeyMap(names), ranges: ranges)
  }

  deinit { end() }

  func end() { close(writes) }

  /// Sends events of type, code and value, a microsecond apart (struct input_event).
  func send(_ events: [(UInt16, UInt16, Int32)]) {
    for (type, code, value) in events {
      var bytes: [UInt8] = []
      func add<T>(_ value: T) { withUnsafeBytes(of: value) { bytes += $0 } }
      add(timeval(tv_sec: 1000, tv_usec: Int(moment)))
      add(type)
      add(code)
      add(value)
      send(bytes: bytes)
      moment += 1
    }
  }

  func send(bytes: [UInt8]) { #expect(write(writes, bytes, bytes.count) == bytes.count) }

  func events() throws -> [EvdevEvent] {
    var all: [EvdevEvent] = []
    while let event = try device.next() { all.append(event) }
    return all
  }
}
