import Network
import Settings
import Testing
import Units

@testable import Box

@Suite struct PresetWatchTests {
  private static let one: StationAddress = "http://one/"
  private static let two: StationAddress = "http://two/"

  /// Returns all outcomes of the inputs, each with its second, until `end`.
  private func outcomes(_ inputs: [(Double, PresetWatch.Input)], until end: Double = 0) -> [PresetWatch.Outcome] {
    var watch = PresetWatch()
    var outcomes: [PresetWatch.Outcome] = []
    for (second, input) in inputs { outcomes += watch.apply(input, at: at(second)) }
    return outcomes + watch.advance(at: at(max(end, inputs.last?.0 ?? 0)))
  }

  enum Input: CaseIterable {
    case tunedSame, tunedOther, sounds, silent, answered, doubtful, unrelated, reached

    var value: PresetWatch.Input {
      switch self {
      case .tunedSame: .tuned(PresetWatchTests.one)
      case .tunedOther: .tuned(PresetWatchTests.two)
      case .sounds: .playing
      case .silent: .silent
      case .answered: .failed(.notFound)
      case .doubtful: .failed(.noAnswer)
      case .unrelated: .failed(.noNetwork)
      case .reached: .reached
      }
    }
  }

  /// The state before the input: tuned and silent, playing for 5 s, playing steadily, failed in doubt.
  enum Before: CaseIterable {
    case silent, sounding, steady, doubtful
  }

  @Test("Each input has its effect in each state (G5)", arguments: Before.allCases, Input.allCases)
  func table(_ before: Before, _ input: Input) {
    var watch = PresetWatch()
    _ = watch.apply(.tuned(Self.one), at: at(0))
    switch before {
    case .silent: break
    case .sounding: _ = watch.apply(.playing, at: at(95))
    case .steady:
      _ = watch.apply(.playing, at: at(0))
      #expect(watch.advance(at: at(15)) == [.succeeded(Self.one)])
    case .doubtful: _ = watch.apply(.failed(.noSuchHost), at: at(0))
    }
    let outcomes = watch.apply(input.value, at: at(100))
    let expected: [PresetWatch.Outcome] =
      switch (before, input) {
      case (_, .answered): [.failed(Self.one, .gone)]
      case (.steady, .doubtful): [.failed(Self.one, .silent)]
      case (.doubtful, .reached): [.failed(Self.one, .noHost)]
      default: []
      }
    #expect(outcomes == expected, "\(before) \(input)")
    // True if audio follows, and its start.
    let due: MonotonicTime =
      switch (before, input) {
      case (.sounding, .sounds), (.sounding, .tunedSame), (.sounding, .reached): at(110)
      case (.silent, .sounds), (.doubtful, .sounds): at(115)
      default: .never
      }
    #expect(watch.due == due, "\(before) \(input)")
    // True if a failure of the next preset is certain.
    _ = watch.apply(.tuned(Self.two), at: at(101))
    let later = watch.apply(.failed(.noAnswer), at: at(102))
    let isWell = before == .steady || input == .reached
    #expect((later == [.failed(Self.two, .silent)]) == isWell, "\(before) \(input)")
  }

  @Test("Fifteen seconds of audio are a success; short audio is not (G5)")
  func steadiness() {
    #expect(outcomes([(0, .tuned(Self.one)), (0, .playing)], until: 14.9) == [])
    #expect(outcomes([(0, .tuned(Self.one)), (0, .playing)], until: 15) == [.succeeded(Self.one)])
    let blips = (0..<20).flatMap { blip in
      [(Double(blip) * 15, .playing), (Double(blip) * 15 + 14, .silent)] as [(Double, PresetWatch.Input)]
    }
    #expect(outcomes([(0, .tuned(Self.one))] + blips, until: 1_000) == [])
    // Late reports precede new ones.
    #expect(outcomes([(0, .tuned(Self.one)), (0, .playing), (20, .silent)], until: 99) == [.succeeded(Self.one)])
    #expect(outcomes([(0, .tuned(Self.one)), (0, .playing), (10, .tuned(Self.two))], until: 99) == [])
    #expect(outcomes([(0, .playing)], until: 99) == [])
  }

  @Test("A failure counts if the network worked within an hour before or after (G5)")
  func wellness() {
    let failure: [(Double, PresetWatch.Input)] = [(0, .tuned(Self.one)), (0, .failed(.noAnswer))]
    func sound(_ second: Double) -> [(Double, PresetWatch.Input)] {
      [(second, .tuned(Self.two)), (second, .playing), (second + 15, .silent)]
    }
    let failed = PresetWatch.Outcome.failed(Self.one, .silent)
    #expect(outcomes(failure, until: 9_999) == [])
    #expect(outcomes(failure + sound(100)) == [failed, .succeeded(Self.two)])
    #expect(outcomes(failure + sound(3_584)) == [failed, .succeeded(Self.two)])
    #expect(outcomes(failure + sound(3_585)) == [.succeeded(Self.two)])
    let later = failure.map { ($0.0 + 3_614, $0.1) }
    #expect(outcomes(sound(0) + later) == [.succeeded(Self.two), failed])
    #expect(outcomes(sound(0) + later.map { ($0.0 + 1, $0.1) }) == [.succeeded(Self.two)])
  }

  @Test("A preset that plays after all did not fail, and each fails once (G5)")
  func doubt() {
    let tried: [(Double, PresetWatch.Input)] = [(0, .tuned(Self.one))] + (0..<9).map { (Double($0), .failed(.silence)) }
    #expect(outcomes(tried + [(10, .playing), (25, .silent)]) == [.succeeded(Self.one)])
    #expect(outcomes(tried + [(10, .reached), (11, .reached)]) == [.failed(Self.one, .silent)])
    let many = (0..<30).flatMap { number in
      [(0, .tuned(StationAddress("http://\(number)/"))), (0, .failed(.noAnswer))] as [(Double, PresetWatch.Input)]
    }
    #expect(outcomes(many + [(1, .reached)]).count == PresetWatch.maxDoubtfulCount)
  }

  @Test("The box's own network, clock and settings never count as a station's failure (G5)")
  func own() {
    let own: Set<PlaybackFault.Cause> = [
      .noNetwork, .proxyFailed, .certificateNotYetValid, .unknownScheme, .fileChanged, .fileUnreadable,
      .fewBlocks, .internalFault,
    ]
    for cause in PlaybackFault.Cause.allCases { #expect((PresetRecord.Cause(cause) == nil) == own.contains(cause)) }
    let answers = PlaybackFault.Cause.allCases.filter { PresetRecord.Cause($0)?.isAnswer == true }
    #expect(answers == [.passwordNeeded, .notFound, .forbidden, .serverError])
  }
}
