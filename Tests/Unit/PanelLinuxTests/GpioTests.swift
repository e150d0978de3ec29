import CFakeGpiod
import CGpiod
import CLinux
import Foundation
import Panel
import Testing
import Units

@testable import PanelLinux

/// Pins through the interfaces of both libgpiod versions.
struct GpioTests {
  @Test(
    "A line is found by its chip's label, name or path",
    arguments: FakeLibrary.allCases)
  func linesAreFound(_ library: FakeLibrary) throws {
    let machine = try FakeMachine(library)
    let path = machine.folder.appending(path: "gpiochip4").path
    for chip in ["pinctrl-rp1", "gpiochip4", path] {
      let lines = try machine.watch(GpioLine(17, chip: chip))
      #expect(machine.state(17).is_requested)
      #expect(withExtendedLifetime(lines) { lines.descriptor } >= 0)
    }
    #expect(!machine.state(17).is_requested, "given back at the end")
    #expect(fake_gpio_open_count() == 0, "nothing of the library's is left")
  }

  @Test("A line's options reach the kernel", arguments: FakeLibrary.allCases)
  func settingsArrive(_ library: FakeLibrary) throws {
    let machine = try FakeMachine(library)
    let wishes: [(GpioLine.Pull, bk_gpio_pull, Bool)] = [
      (.up, BK_PULL_UP, true), (.down, BK_PULL_DOWN, false), (.none, BK_PULL_NONE, true), (.asIs, BK_PULL_AS_IS, false),
    ]
    for (pull, kernel, isActiveLow) in wishes {
      var line = GpioLine.pin(5, isActiveLow: isActiveLow)
      line.pull = pull
      line.debounce = Duration(milliseconds: 5)
      let lines = try machine.watch(line)
      let state = machine.state(5)
      #expect(state.pull == kernel)
      #expect(state.is_active_low == isActiveLow)
      #expect(lines.debounces == (library == .v2))
      #expect(state.debounce_us == (library == .v2 ? 5000 : 0))
      #expect(!state.is_output)
    }
  }

  @Test(
    "Edges have the kernel's time and order, across lines (D4)",
    arguments: FakeLibrary.allCases)
  func edgesAreTold(_ library: FakeLibrary) throws {
    let machine = try FakeMachine(library)
    machine.set(17, true, at: 0)
    let lines = try machine.watch(.pin(27), .pin(17), .pin(22, isActiveLow: false))
    #expect(try lines.isActive(0))
    #expect(try !lines.isActive(1))
    #expect(try lines.next() == nil)
    #expect(bk_wait_readable(lines.descriptor, 0) == 0)
    machine.set(22, true, at: 1_000_000_100)
    machine.set(17, false, at: 2_000_000_200)
    machine.set(27, true, at: 2_000_000_300)
    machine.set(17, true, at: 2_000_000_400)
    #expect(bk_wait_readable(lines.descriptor, 0) == 1)
    let expected: [(Int, Bool, Int64)] = [
      (2, true, 1_000_000_100), (1, true, 2_000_000_200), (0, false, 2_000_000_300), (1, false, 2_000_000_400),
    ]
    for (line, isActive, time) in expected {
      #expect(
        try lines.next() == GpioEdge(line: line, isActive: isActive, time: MonotonicTime(nanoseconds: time)))
    }
    #expect(try lines.next() == nil)
    #expect(bk_wait_readable(lines.descriptor, 0) == 0)
  }

  @Test("A burst arrives completely", arguments: FakeLibrary.allCases)
  func burstsArrive(_ library: FakeLibrary) throws {
    let machine = try FakeMachine(library)
    let lines = try machine.watch(.pin(17), .pin(27))
    for count in 0..<400 as Range<Int64> { machine.set(count % 2 == 0 ? 17 : 27, count % 4 < 2, at: count + 1) }
    for count in 0..<400 as Range<Int64> { #expect(try lines.next()?.time.nanoseconds == count + 1) }
    #expect(try lines.next() == nil)
  }

  @Test("Lines of several chips share one descriptor", arguments: FakeLibrary.allCases)
  func chipsAreJoined(_ library: FakeLibrary) throws {
    let machine = try FakeMachine(library)
    let lines = try machine.watch(.pin(17), GpioLine(3, chip: "other"), .pin(27))
    for (name, offset, time) in [("gpiochip0", 3, 10), ("gpiochip4", 27, 20)] as [(String, UInt32, Int64)] {
      fake_gpio_set(name, offset, true, time)
    }
    #expect(bk_wait_readable(lines.descriptor, 0) == 1)
    #expect(try lines.next()?.line == 1)
    #expect(try lines.next()?.line == 2)
    #expect(try lines.next() == nil)
  }

  @Test("A removed chip is reported after its edges", arguments: FakeLibrary.allCases)
  func lossIsTold(_ library: FakeLibrary) throws {
    let machine = try FakeMachine(library)
    let lines = try machine.watch(.pin(17), .pin(27))
    machine.set(17, true, at: 5)
    fake_gpio_lose("gpiochip4")
    #expect(try lines.next()?.time.nanoseconds == 5)
    #expect(throws: HardwareError.gone("The GPIO chip pinctrl-rp1")) { try lines.next() }
    #expect(throws: HardwareError.gone("The GPIO chip pinctrl-rp1")) { try lines.isActive(0) }
  }

  @Test("A fault is a sentence with the remedy", arguments: FakeLibrary.allCases)
  func errorsSpeak(_ library: FakeLibrary) throws {
    let machine = try FakeMachine(library)
    fake_gpio_take("gpiochip4", 17, "spi0")
    fake_gpio_take("gpiochip4", 18, "")
    let sentences: [(GpioLine, String)] = [
      (.pin(17), "GPIO line 17 of pinctrl-rp1 is used by 'spi0'; choose another pin in the board file."),
      (.pin(18), "GPIO line 18 of pinctrl-rp1 is used by 'the kernel'; choose another pin in the board file."),
      (.pin(54), "The GPIO chip pinctrl-rp1 has the lines 0 to 53, not 54; change it in the board file."),
      (
        GpioLine(1, chip: "pinctrl-bcm2711"),
        "There is no GPIO chip \"pinctrl-bcm2711\"; there are: other, pinctrl-rp1, late. Name one of them in the board "
          + "file."
      ),
    ]
    for (line, sentence) in sentences {
      #expect(throws: HardwareError.self) { try machine.watch(.pin(5), line) }
      do { _ = try machine.watch(.pin(5), line) } catch { #expect("\(error)" == sentence) }
      do { _ = try machine.drive([line, line]) } catch { #expect("\(error)" == sentence) }
      #expect(!machine.state(5).is_requested, "what was taken before is given back")
    }
    #expect(fake_gpio_open_count() == 0)
  }

  @Test("A machine without accessible chips says so", arguments: FakeLibrary.allCases)
  func chipsMayBeMissing(_ library: FakeLibrary) throws {
    let machine = try FakeMachine(library)
    fake_gpio_refuse("gpiochip4", EACCES)
    #expect(throws: HardwareError.noSuchChip("pinctrl-rp1", existing: ["other", "late"])) {
      try machine.watch(.pin(17))
    }
    for name in ["gpiochip0", "gpiochip10"] { fake_gpio_refuse(name, EACCES) }
    let path = machine.folder.appending(path: "gpiochip10").path
    #expect(throws: HardwareError.forbidden(path: path, group: "gpio")) { try machine.watch(.pin(17)) }
    for name in try FileManager.default.contentsOfDirectory(atPath: machine.folder.path) {
      try FileManager.default.removeItem(at: machine.folder.appending(path: name))
    }
    #expect(throws: HardwareError.noGpio) { try machine.watch(.pin(17)) }
  }

  @Test("The installed library responds too")
  func installedLibraryAnswers() throws {
    let api = bk_gpio_library()
    #expect(throws: HardwareError.self) {
      _ = try GpioLines([.pin(17)], user: "bakelite", folder: "/nowhere", through: api)
    }
    #expect(api.open_chip("/dev/null") == nil)
  }

  // MARK: A display on six or seven lines

  @Test("A display on GPIO lines shows its frame", arguments: FakeLibrary.allCases)
  func displayOnLines(_ library: FakeLibrary) throws {
    let machine = try FakeMachine(library)
    let outputs = try machine.drive([7, 8, 25, 24, 23, 18, 15].map { .pin($0, isActiveLow: false) })
    let watcher = LineWatcher(Hd44780Model(columns: 16, rows: 2, seed: 3), machine)
    var link = DisplayLink(.lines(outputs), columns: 16, rows: 2)
    var frame = DisplayFrame(columns: 16, rows: 2)
    for (index, byte) in "No expander".utf8.enumerated() { frame.cells[16 + index] = byte }
    frame.cells[31] = 2
    frame.glyphs[16] = 0x15
    for _ in 0..<40 where !link.isShowing || watcher.display.picture != frame.picture {
      let now = bk_monotonic_ns()
      bk_sleep_until_ns(min(link.show(frame, now: MonotonicTime(nanoseconds: now)).nanoseconds, now + 60_000_000))
    }
    #expect(watcher.display.picture == frame.picture)
    #expect(watcher.display.complaints == [])
    #expect(machine.state(15).is_high)
    fake_gpio_lose("gpiochip4")
    frame.cells[0] = 0x41
    _ = link.show(frame, now: MonotonicTime(nanoseconds: bk_monotonic_ns()))
    #expect(
      link.trouble?.description
        == "Setting the display's GPIO lines failed: no such device; check its wiring and its driver.")
  }

  @Test("Output lines must be on one chip", arguments: FakeLibrary.allCases)
  func outputsAreOfOneChip(_ library: FakeLibrary) throws {
    let machine = try FakeMachine(library)
    #expect(throws: HardwareError.notOneChip("pinctrl-rp1", "other")) {
      try machine.drive([.pin(5), GpioLine(1, chip: "other")])
    }
  }
}

/// Forwards driven lines to the display model, each with its time.
private final class LineWatcher {
  let display: Hd44780Model
  private let machine: FakeMachine

  init(_ display: Hd44780Model, _ machine: FakeMachine) {
    self.display = display
    self.machine = machine
    display.power(at: bk_monotonic_ns(), pins: Hd44780Model.Pins())
    fake_gpio_listen(
      { context in
        guard let context else { return }
        Unmanaged<LineWatcher>.fromOpaque(context).takeUnretainedValue().hear()
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { fake_gpio_listen(nil, nil) }

  private func hear() {
    let data = [25, 24, 23, 18].enumerated().reduce(UInt8(0)) {
      $0 | (machine.state($1.element).is_high ? 1 << UInt8($1.offset) : 0)
    }
    display.set(
      Hd44780Model.Pins(
        isData: machine.state(7).is_high, isRead: false, isEnabled: machine.state(8).is_high, data: data),
      at: bk_monotonic_ns())
  }
}
