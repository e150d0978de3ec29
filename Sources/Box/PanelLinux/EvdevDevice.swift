import CLinux
import Glibc
import System
import Units

/// An input device of the kernel: an IR remote, a USB keypad, gpio-keys, rotary-encoder. One thread; the deinitializer
/// closes it.
public final class EvdevDevice {
  /// For poll(2): readable after an input, or when the device is gone.
  public let descriptor: Int32
  /// The device's own name.
  public let name: String

  private let keys: KeyMap
  /// Minimum and number of values of an absolute axis, for knobs that wrap around.
  private let ranges: [UInt16: (least: Int, count: Int)]
  private var positions: [UInt16: Int] = [:]
  private var pressed: Set<UInt16> = []
  private var events: [EvdevEvent] = []
  private var taken = 0
  /// True if the kernel dropped events, so that events up to the next report are ignored.
  private var isTorn = false

  // Codes of EV_SYN.
  private static let report: UInt16 = 0
  private static let dropped: UInt16 = 3

  /// Opens a device by path or name. With `isExclusive` its keys have no effect elsewhere.
  public convenience init(_ word: String, keys: KeyMap, isExclusive: Bool = false) throws(HardwareError) {
    let (descriptor, name) = try Self.open(word)
    let error = bk_input_set(descriptor, isExclusive)
    guard error == 0 else {
      close(descriptor)
      throw .failed("The input device \"\(name)\"", errno: -error)
    }
    self.init(descriptor: descriptor, name: name, keys: keys, ranges: [:])
  }

  /// Uses an open device; `ranges` are those of axes unknown to the kernel.
  package init(descriptor: Int32, name: String, keys: KeyMap, ranges: [UInt16: ClosedRange<Int>]) {
    self.descriptor = descriptor
    self.name = name
    self.keys = keys
    var all = ranges.mapValues { (least: $0.lowerBound, count: $0.count) }
    for code in keys.codes where code.type == KeyMap.absolute {
      var least: Int32 = 0
      var most: Int32 = 0
      if bk_input_range(descriptor, Int32(code.code), &least, &most) == 0, least < most {
        all[code.code] = (Int(least), Int(most) - Int(least) + 1)
      }
    }
    self.ranges = all
  }

  deinit { close(descriptor) }

  /// Returns the next event of a mapped control; nil if no event is pending. Never blocks. Throws if the device is
  /// gone, after a release event for each pressed button.
  public func next() throws(HardwareError) -> EvdevEvent? {
    if taken == events.count {
      events.removeAll(keepingCapacity: true)
      taken = 0
      try gather()
    }
    guard taken < events.count else { return nil }
    taken += 1
    return events[taken - 1]
  }

  /// Reads once, at most 64 events.
  private func gather() throws(HardwareError) {
    var read = [bk_input_event](repeating: bk_input_event(), count: 64)
    let count = bk_input_read(descriptor, &read, Int32(read.count))
    if count < 0 {
      release(pressed, Clock.machine.now())
      guard events.isEmpty else { return }
      throw count == -ENODEV
        ? .gone("The input device \"\(name)\"") : .failed("The input device \"\(name)\"", errno: -count)
    }
    for event in read.prefix(Int(count)) { process(event) }
  }

  private func process(_ event: bk_input_event) {
    let time = MonotonicTime(nanoseconds: event.nanoseconds)
    if event.type == KeyMap.sync {
      if isTorn, event.code == Self.report { resynchronize(time) }
      isTorn = event.code == Self.dropped || isTorn && event.code != Self.report
    }
    guard !isTorn, let control = keys.control(KeyMap.Code(type: event.type, code: event.code)) else { return }
    guard let change = change(event) else { return }
    events.append(EvdevEvent(control: control, change: change, time: time))
  }

  private func change(_ event: bk_input_event) -> EvdevEvent.Change? {
    switch event.type {
    case KeyMap.key where event.value == 0:
      return pressed.remove(event.code) == nil ? nil : .released
    case KeyMap.key where event.value == 1:
      return pressed.insert(event.code).inserted ? .pressed : nil
    case KeyMap.relative:
      return event.value == 0 ? nil : .turned(Int(event.value))
    case KeyMap.absolute:
      return turn(event.code, Int(event.value))
    default:
      // The kernel's key repeat (2) is ignored: gestures repeat by themselves.
      return nil
    }
  }

  /// Returns the shorter way from the previous position; the first position is not a turn.
  private func turn(_ axis: UInt16, _ position: Int) -> EvdevEvent.Change? {
    guard let last = positions.updateValue(position, forKey: axis) else { return nil }
    var steps = position - last
    if let count = ranges[axis]?.count, abs(steps) < count, abs(steps) * 2 > count { steps -= steps.signum() * count }
    return steps == 0 ? nil : .turned(steps)
  }

  /// After lost events, reports released buttons; newly pressed ones are not reported.
  private func resynchronize(_ time: MonotonicTime) {
    release(pressed.filter { bk_input_is_down(descriptor, Int32($0)) != 1 }, time)
    positions.removeAll()
  }

  private func release(_ codes: Set<UInt16>, _ time: MonotonicTime) {
    for code in codes.sorted() {
      pressed.remove(code)
      guard let control = keys.control(KeyMap.Code(type: KeyMap.key, code: code)) else { continue }
      events.append(EvdevEvent(control: control, change: .released, time: time))
    }
  }

  private static func open(_ word: String) throws(HardwareError) -> (Int32, String) {
    if word.hasPrefix("/") {
      let descriptor = bk_input_open(word)
      guard descriptor >= 0 else { throw refusal(-descriptor, word) }
      return (descriptor, title(descriptor) ?? word)
    }
    var existing: [String] = []
    var refused: String?
    for number in 0..<64 {
      let path = "/dev/input/event\(number)"
      let descriptor = bk_input_open(path)
      if descriptor == -EACCES { refused = path }
      guard descriptor >= 0 else { continue }
      if let title = title(descriptor) {
        if title == word { return (descriptor, title) }
        existing.append(title)
      }
      close(descriptor)
    }
    if existing.isEmpty, let refused { throw .forbidden(path: refused, group: "input") }
    throw .noSuchInput(word, existing: existing)
  }

  private static func refusal(_ errno: Int32, _ path: String) -> HardwareError {
    switch errno {
    case ENOENT, ENODEV, ENXIO: .noSuchInput(path, existing: [])
    case EACCES, EPERM: .forbidden(path: path, group: "input")
    default: .failed("Opening \(path)", errno: errno)
    }
  }

  private static func title(_ descriptor: Int32) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
      guard let start = room.baseAddress, bk_input_name(descriptor, start, 256) == 0 else { return nil }
      return String(cString: start)
    }
  }
}
