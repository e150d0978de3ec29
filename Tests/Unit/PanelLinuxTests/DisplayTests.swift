import Panel
import PanelLinux
import SeededRandom
import Testing
import Units

/// The driver with a display that conforms to the data sheet.
struct DisplayTests {
  @Test(
    "Text is shown at its place, from any state of the display (D6)",
    arguments: [(16, 2), (20, 4), (20, 2), (16, 4)])
  func textIsShown(_ columns: Int, _ rows: Int) {
    for seed in 0..<100 as Range<UInt64> {
      let bench = DisplayBench(columns: columns, rows: rows, seed: seed)
      let frame = bench.frame("Bakelite", "Where am I, and why?", "third row", "12345678901234567890")
      bench.show(frame)
      #expect(bench.display.picture == frame.picture, "seed \(seed)")
      #expect(bench.display.complaints == [], "seed \(seed)")
      #expect(bench.isShowing && bench.trouble == nil)
    }
  }

  @Test func bothBackpacksAreKnown() {
    for wiring in [BackpackModel.Wiring.usual, .dataFirst] {
      let bench = DisplayBench(wiring: wiring)
      let frame = bench.frame("either way")
      bench.show(frame)
      #expect(bench.display.picture == frame.picture)
      #expect(bench.display.complaints == [])
    }
  }

  @Test func theLightFollowsTheFrame() {
    let bench = DisplayBench()
    var frame = bench.frame("light")
    for isLit in [true, false, false, true] {
      frame.isLit = isLit
      bench.show(frame)
      #expect(bench.model.isLit == isLit)
    }
    let before = bench.model.byteCount
    frame.isLit = false
    bench.show(frame)
    // One read and one written byte, each with an address.
    #expect(bench.model.byteCount - before == 4)
  }

  @Test("A full redraw stays within its bus time", arguments: [(20, 4, 35.0, 81), (16, 2, 15.0, 34)])
  func redrawIsShort(_ columns: Int, _ rows: Int, _ limit: Double, _ count: Int) {
    let bench = DisplayBench(columns: columns, rows: rows)
    bench.show(bench.frame())
    let (before, first) = (bench.model.busTime, bench.display.count)
    let frame = bench.frame(
      "ABCDEFGHIJKLMNOPQRST", "abcdefghijklmnopqrst", "01234567890123456789", "!!!!!!!!!!!!!!!!!!!!")
    bench.show(frame)
    #expect(bench.display.picture == frame.picture)
    #expect(Double(bench.model.busTime - before) / 1e6 <= limit)
    #expect(bench.display.count - first == count, "the cells, and as few addresses as can be")
    #expect(bench.display.complaints == [])
  }

  @Test func onlyWhatChangedIsWritten() {
    let bench = DisplayBench()
    bench.show(bench.frame("12:34:56", "unchanged"))
    var before = bench.display.count
    bench.show(bench.frame("12:34:57", "unchanged"))
    #expect(bench.display.count - before == 2, "the address and the cell")
    before = bench.display.count
    bench.show(bench.frame("92:94:57", "unchanged"))
    #expect(bench.display.count - before == 4, "two cells, each with its address")
    before = bench.model.byteCount
    bench.show(bench.frame("82/94:57", "unchanged"))
    #expect(bench.model.byteCount - before == 21, "past one cell by writing it again: a look, an address, three cells")
    before = bench.display.count
    bench.show(bench.frame("82/94:57", "unchanged"), milliseconds: 60_000)
    #expect(bench.display.count == before)
  }

  @Test func aScrollingTitleAndAClockLeaveTheBusFree() {
    let bench = DisplayBench()
    let title = Array("Kraftwerk - Autobahn (1974, the whole of it) *** ".utf8)
    var shown = bench.frame("Some station", "", "a row", "00:00")
    bench.show(shown)
    let (bytes, time) = (bench.model.byteCount, bench.model.now)
    for step in 0..<60 {
      for column in 0..<20 { shown.cells[20 + column] = title[(step + column) % title.count] }
      shown.cells[64] = 0x30 + UInt8(step / 3 % 10)
      bench.show(shown, milliseconds: 350)
    }
    let seconds = Double(bench.model.now - time) / 1e9
    #expect(Double(bench.model.byteCount - bytes) / seconds <= 400)
    #expect(bench.display.picture == shown.picture)
  }

  @Test func aShapeIsNeverSeenUnderAnotherCharacter() {
    for seed in 0..<6 as Range<UInt64> {
      let bench = DisplayBench(columns: seed < 3 ? 20 : 16, rows: seed < 3 ? 4 : 2, seed: seed)
      var random = SeededGenerator(seed)
      var old = bench.frame("begin")
      bench.show(old)
      for _ in 0..<60 {
        let new = Self.changed(old, &random)
        bench.show(new, after: old)
        #expect(bench.display.picture == new.picture)
        old = new
      }
      #expect(bench.display.complaints == [])
    }
  }

  @Test func aBarThatGrowsInPlaceIsWhole() {
    let bench = DisplayBench(columns: 16, rows: 2)
    var old = bench.frame("bar")
    old.cells[31] = 3
    old.glyphs[24] = 0x1F
    bench.show(old)
    for height in 1..<8 {
      var new = old
      new.glyphs[24 + height] = 0x1F
      let before = bench.display.count
      bench.show(new, after: old)
      #expect(bench.display.count - before == 6, "blanked, one line of the shape, and back, each with its address")
      old = new
    }
    #expect(bench.display.picture == old.picture)
  }

  @Test(
    "At any bus speed the display is ready before each write",
    arguments: [10_000, 100_000, 130_000, 400_000, 1_000_000])
  func speedIsMinded(_ hertz: Int) {
    let bench = DisplayBench(hertz: hertz)
    let frame = bench.frame("quick", "brown", "fox", "jumps")
    bench.show(frame, milliseconds: 2000)
    #expect(bench.display.picture == frame.picture)
    #expect(bench.display.complaints == [])
  }

  @Test func theModelComplainsWhenWrittenWhileBusy() {
    let bench = DisplayBench(hertz: 400_000, believed: 100_000)
    bench.show(bench.frame("too quick"))
    #expect(bench.display.complaints.contains { $0.contains("before it is ready") })
  }

  /// Changes some cells and glyphs, sometimes nearly all.
  private static func changed(_ old: DisplayFrame, _ random: inout SeededGenerator) -> DisplayFrame {
    var new = old
    let many = Int.random(in: 0..<8, using: &random) == 0
    for _ in 0..<Int.random(in: 0...(many ? 80 : 12), using: &random) {
      let isShape = Int.random(in: 0..<2, using: &random) == 0
      new.cells[Int.random(in: new.cells.indices, using: &random)] =
        isShape ? UInt8.random(in: 0...15, using: &random) : UInt8.random(in: 0x20...0x7A, using: &random)
    }
    for _ in 0..<Int.random(in: 0...(many ? 40 : 3), using: &random) {
      new.glyphs[Int.random(in: new.glyphs.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
    }
    return new
  }
}
