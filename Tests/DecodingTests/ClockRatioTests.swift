import Testing
import Units

struct ClockRatioTests {
  @Test(arguments: [
    (1, 0), (1.0005, 500_000), (0.997, -3_000_000), (1.000_000_000_4, 0), (2, 3_000_000), (-.infinity, -3_000_000),
    (.nan, 0),
  ])
  func aNumberBecomesTheNextRatio(value: Double, parts: Int32) {
    #expect(ClockRatio(value).partsPerBillion == parts)
    #expect((ClockRatio(value) == .one) == (parts == 0))
  }

  @Test func whatIsBeyondTheLimitIsClamped() {
    #expect(ClockRatio(partsPerBillion: .max).partsPerBillion == ClockRatio.limit)
    #expect(ClockRatio(partsPerBillion: .min).value == 0.997)
  }
}
