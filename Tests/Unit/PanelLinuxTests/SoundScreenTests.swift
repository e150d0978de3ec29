import Foundation
import Panel
import PanelLinux
import SeededRandom
import Testing
import Units

/// The bus load of spectrum and level on a display with a PCF8574 (S2).
@Suite("Moving screens")
struct SoundScreenTests {
  /// Random bands, with a beat in the bass.
  private static func sound(_ frame: Int, _ random: inout SeededGenerator) -> PanelSound {
    var sound = PanelSound()
    sound.bands = (0..<20).map { band in
      let beat = band < 4 && frame % 5 == 0 ? 20.0 : 0
      return -50 + beat + Double.random(in: -15...15, using: &random)
    }
    sound.averages = (0..<2).map { _ in Double.random(in: -40 ... -5, using: &random) }
    sound.peaks = sound.averages.map { $0 + 6 }
    return sound
  }

  @Test(
    "Moving screens change at least ten times a second, with at most 800 bytes a second (S2)",
    arguments: [(20, 4), (16, 2)],
    [PanelFace.spectrum, .level])
  func frugal(size: (columns: Int, rows: Int), face: PanelFace) {
    var random = SeededGenerator(7)
    let bench = DisplayBench(columns: size.columns, rows: size.rows)
    var settings = PanelSettings()
    settings.face = face
    var panel = FrontPanel(columns: size.columns, rows: size.rows, settings: settings)
    var view = PanelView()
    (view.state, view.isAudible) = (.playing, true)
    (view.station, view.title) = ("Radio", "A title, and a long one at that")
    var (frames, seen, start) = (0, 0, 0)
    var last: DisplayFrame?
    var moment = MonotonicTime(nanoseconds: bench.model.now)
    let began = moment
    while (moment - began).seconds < 12 {
      view.sound = Self.sound(frames, &random)
      let frame = panel.picture(view, at: moment).frame
      let next = panel.nextChange(after: moment)
      bench.show(frame, milliseconds: max(1, Int64((next - moment).milliseconds)))
      moment = MonotonicTime(nanoseconds: bench.model.now)
      frames += 1
      // The first two seconds set up the display and its glyphs.
      if (moment - began).seconds < 2 { (start, seen) = (bench.model.byteCount, 0) } else if frame != last { seen += 1 }
      last = frame
    }
    let bytes = bench.model.byteCount - start
    #expect(seen >= 100, "\(seen) frames in ten seconds")
    #expect(bytes <= 8_000, "\(bytes) bytes in ten seconds")
    #expect(bytes > 2_000)
  }
}
