import Panel
import PanelLinux
import Testing
import Units

/// A display that is missing or fails at times.
struct DisplayFaultTests {
  @Test("A bus error at any byte is recovered (D6)", arguments: [false, true])
  func everyByteMayFail(_ takesIt: Bool) {
    let clean = Self.play(nil)
    #expect(clean.bench.display.complaints == [])
    for byte in 0..<clean.bench.model.byteCount {
      let (bench, last) = Self.play((byte, takesIt))
      #expect(bench.display.picture == last.picture, "byte \(byte)")
      #expect(bench.display.complaints == [], "byte \(byte)")
      #expect(bench.trouble == nil, "byte \(byte)")
    }
  }

  /// Shows two frames with glyphs, with enough time for a retry.
  private static func play(_ failure: (Int, Bool)?) -> (bench: DisplayBench, last: DisplayFrame) {
    let bench = DisplayBench(columns: 16, rows: 2, seed: UInt64(failure?.0 ?? 0))
    bench.model.failure = failure.map { ($0.0, $0.1) }
    var frame = bench.frame("first", "row")
    frame.cells[5] = 1
    frame.glyphs[8] = 0x11
    bench.show(frame, milliseconds: 1500)
    frame.glyphs[9] = 0x0E
    frame.cells[20] = 0x41
    bench.show(frame, milliseconds: 1500)
    return (bench, frame)
  }

  @Test func anAbsentDisplayIsTriedLessAndLess() {
    let bench = DisplayBench()
    bench.model.unplug()
    bench.show(bench.frame("hello"), milliseconds: 60_000)
    let seconds = bench.uses.map { ($0 + 500_000_000) / 1_000_000_000 }
    #expect(seconds == [0, 1, 3, 7, 15, 25, 35, 45, 55])
    #expect(bench.trouble == .noAnswer(bus: "the model", address: 0x27))
    #expect(!bench.isShowing)
    bench.model.plug()
    let frame = bench.frame("here I am")
    bench.show(frame, milliseconds: 10_200)
    #expect(bench.display.picture == frame.picture)
    #expect(bench.display.complaints == [])
    #expect(bench.trouble == nil)
  }

  @Test func newFramesDoNotHurryTheRetries() {
    let bench = DisplayBench()
    bench.model.unplug()
    for count in 0..<100 { bench.show(bench.frame("\(count)"), milliseconds: 100) }
    #expect(bench.uses.count == 4)
  }

  @Test func pluggedOutAndInAgainItIsRedrawnWhole() {
    let bench = DisplayBench()
    var frame = bench.frame("before", "the", "storm")
    bench.show(frame)
    bench.model.unplug()
    frame.cells[0] = 0x42
    bench.show(frame, milliseconds: 2000)
    #expect(bench.trouble != nil)
    bench.model.plug()
    bench.show(frame, milliseconds: 5000)
    #expect(bench.display.picture == frame.picture)
    #expect(bench.display.complaints == [])
  }

  @Test func powerThatWentBetweenTwoWritesIsNoticed() {
    let bench = DisplayBench()
    let frame = bench.frame("loose plug")
    bench.show(frame)
    bench.model.plug()
    bench.show(frame, milliseconds: 6500)
    #expect(bench.display.picture == frame.picture)
    bench.model.plug()
    bench.show(bench.frame("loose plUg"), milliseconds: 1300)
    #expect(bench.display.picture == bench.frame("loose plUg").picture)
    #expect(bench.display.complaints == [])
  }

  @Test func aPortThatCannotTellItsPinsIsNotBelieved() {
    let bench = DisplayBench()
    bench.model.lie = 0xFF
    bench.show(bench.frame("a"))
    let before = bench.display.count
    bench.show(bench.frame("b"), milliseconds: 20_000)
    #expect(bench.display.count - before == 2)
    #expect(bench.trouble == nil)
  }

  @Test func withoutReadingNothingIsRead() {
    let bench = DisplayBench(isRead: false)
    bench.show(bench.frame("a"))
    let before = bench.model.byteCount
    bench.show(bench.frame("a"), milliseconds: 60_000)
    #expect(bench.model.byteCount == before)
  }

  @Test func aBusThatIsNotThereIsASentence() {
    let device = I2cDevice(path: "/dev/i2c-none", address: 0x27)
    #expect(throws: HardwareError.gone("The I2C bus /dev/i2c-none")) { try device.write([0]) }
    #expect(throws: HardwareError.gone("The I2C bus /dev/i2c-none")) { try device.read() }
    #expect(device.hertz == 100_000)
    let other = I2cDevice(path: NoDevice.path, address: 0x27)
    #expect(throws: HardwareError.failed("Writing to /dev/null", errno: NoDevice.answer)) { try other.write([0]) }
    var link = DisplayLink(.backpack(device), columns: 16, rows: 2)
    let next = link.show(DisplayFrame(columns: 16, rows: 2), now: .zero)
    #expect(next == MonotonicTime(milliseconds: 1000))
    #expect(link.trouble?.description == "The I2C bus /dev/i2c-none is gone; check its plug and its wiring.")
  }
}
