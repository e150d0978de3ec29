import RadioEngine
import Testing

@testable import Box

@Suite struct SummaryLineTests {
  @Test(
    "A count of one is singular",
    arguments: [
      (0, "Played 7 s, 0 underruns, 0 stitches, 0 titles."), (1, "Played 7 s, 1 underrun, 1 stitch, 1 title."),
      (2, "Played 7 s, 2 underruns, 2 stitches, 2 titles."),
    ])
  func counts(_ count: Int, _ line: String) {
    var summary = Summary()
    summary.heard = 7.9
    (summary.underruns, summary.stitches, summary.titles) = (count, count, count)
    #expect(summary.line == line)
  }
}
