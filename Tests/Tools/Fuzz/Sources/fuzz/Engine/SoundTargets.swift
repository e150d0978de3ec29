import AudioOutput
import Blocks
import Decoding
import Rendering
import Units

/// Renders any periods and commands and converts the result to all sample formats.
final class Rendition: FuzzTarget {
  static let name = "render"
  static let longest = 400
  static let seeds: [[UInt8]] = [
    [0, 3, 1, 0, 1, 0, 100, 0, 7, 1, 50, 1, 50], [0, 1, 1, 0, 1, 0, 100, 2, 1, 200, 3, 128, 1, 90, 4, 2, 1, 90, 1, 90],
  ]

  private let arena: Arena
  private let ring: UnsafePointer<PeriodRing>
  private let board: UnsafePointer<StatusBoard>
  private let frames = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 2 * most)
  private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 8 * most, alignment: 16)
  private static let most = 1_300

  init() {
    guard let arena = try? Arena(MemoryBudget(blockCount: BlockPool.minCount).total) else {
      fatalError("The fuzzer needs memory.")
    }
    self.arena = arena
    ring = PeriodRing.make(in: arena)
    board = StatusBoard.make(in: arena)
    frames.initialize(repeating: 0)
  }

  deinit {
    frames.deallocate()
    bytes.deallocate()
  }

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    var writer = PeriodWriter(ring)
    var renderer = Renderer(ring, board)
    let rates = [44_100, 48_000, 8_000, 1].map { SampleRate($0) }
    board.pointee.wantedEpoch.store(1, ordering: .relaxed)
    board.pointee.limit.store(.max, ordering: .relaxed)
    board.pointee.gain.store(1 << 24, ordering: .relaxed)
    board.pointee.isPaused.store(false, ordering: .relaxed)
    board.pointee.wantedSeek.store(0, ordering: .relaxed)
    board.pointee.readySeek.store(0, ordering: .relaxed)
    renderer.setRate(rates[0])
    while !recipe.isOver {
      switch recipe.number(0...7) {
      case 0, 1: if writer.freeCount > 0 { write(&recipe, &writer, rates) }
      case 2, 3: render(&recipe, &renderer)
      case 4:
        guard let out = frames.baseAddress else { return }
        let count = recipe.number(0...Self.most)
        renderer.renderFall(into: out, count: count)
        check(count, &recipe)
      case 5: board.pointee.gain.store(Int32(recipe.number(0...256)) << 16, ordering: .relaxed)
      case 6: board.pointee.wantedEpoch.store(UInt32(recipe.number(0...3)), ordering: .relaxed)
      default: order(&recipe, &renderer, rates)
      }
    }
    var reader = PeriodReader(ring)
    while !reader.isEmpty() { reader.advance() }
  }

  private func order(_ recipe: inout Recipe, _ renderer: inout Renderer, _ rates: [SampleRate]) {
    switch recipe.number(0...5) {
    case 0: renderer.setRate(recipe.pick(rates))
    case 1: if let start = frames.baseAddress { renderer.tear(start, count: recipe.number(0...Self.most)) }
    case 2: board.pointee.isPaused.store(recipe.flag(), ordering: .relaxed)
    case 3: board.pointee.wantedSeek.store(UInt32(recipe.number(0...2)), ordering: .relaxed)
    case 4: board.pointee.readySeek.store(UInt32(recipe.number(0...2)), ordering: .relaxed)
    default: board.pointee.limit.store(recipe.flag() ? recipe.int64() : .max, ordering: .relaxed)
    }
  }

  private func write(_ recipe: inout Recipe, _ writer: inout PeriodWriter, _ rates: [SampleRate]) {
    var period = Period()
    period.epoch = UInt32(recipe.number(0...3))
    period.seek = recipe.flag() ? UInt32(recipe.number(0...2)) : 0
    period.flags = Period.Flags(rawValue: UInt32(recipe.byte() & 7))
    period.rate = recipe.pick(rates)
    period.frameCount = Int32(recipe.number(0...Period.frameCapacity))
    period.start = StreamTime(ticks: recipe.flag() ? recipe.int64() : 0)
    period.duration = StreamTime(ticks: recipe.flag() ? recipe.int64() : Int64(period.frameCount) * 16_000)
    let loudness = recipe.pick([8_388_607, -8_388_608, 1 << 15, 0] as [Int32])
    for index in 0..<(2 * Int(period.frameCount)) { writer.room[index] = index & 4 == 0 ? loudness : ~loudness }
    writer.commit(period)
  }

  private func render(_ recipe: inout Recipe, _ renderer: inout Renderer) {
    guard let out = frames.baseAddress else { return }
    let count = recipe.number(0...Self.most)
    let rendered = renderer.render(into: out, count: count)
    expect((0...count).contains(rendered.frameCount), "no more is rendered than was asked for")
    if case .full = rendered.stop { expect(rendered.frameCount == count, "full is all that was asked for") }
    check(rendered.frameCount, &recipe)
  }

  /// Checks that samples have at most 24 bits, and that each format stays within its buffer and its bits.
  private func check(_ count: Int, _ recipe: inout Recipe) {
    guard let start = frames.baseAddress, let out = bytes.baseAddress else { return }
    let samples = frames[..<(2 * count)]
    expect(samples.allSatisfy { (-8_388_608...8_388_607).contains($0) }, "samples keep to 24 bits")
    let format = recipe.pick(SampleFormat.allCases)
    let channels = recipe.number(1...2)
    bytes.initializeMemory(as: UInt8.self, repeating: 0xA5)
    SampleConversion.convert(start, count: count, to: format, channels: channels, out)
    let used = count * channels * format.byteCount()
    expect(bytes[used...].allSatisfy { $0 == 0xA5 }, "nothing is written behind the last sample")
    guard channels == 2 else { return }
    for index in stride(from: 0, to: samples.count, by: 11) {
      let sample = samples[index]
      let written = format.sample(bytes, at: index)
      let low = format == .s16le ? 256 : 1
      expect(abs(written - Int(sample)) < low, "a sample is what it was: \(sample), \(written)")
    }
  }
}

extension SampleFormat {
  /// Reads a sample and returns it with 24 bits.
  fileprivate func sample(_ bytes: UnsafeMutableRawBufferPointer, at index: Int) -> Int {
    let place = index * byteCount()
    switch self {
    case .s16le: return Int(bytes.loadUnaligned(fromByteOffset: place, as: Int16.self)) << 8
    case .s24le:
      let high = Int(Int8(bitPattern: bytes[place + 2]))
      return high << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place])
    case .s24in32le: return Int(bytes.loadUnaligned(fromByteOffset: place, as: Int32.self))
    case .s32le: return Int(bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)) >> 8
    }
  }
}

/// Converts any audio in pieces from one rate to another.
final class Conversion: FuzzTarget {
  static let name = "rate-converter"
  static let longest = 60
  static let seeds: [[UInt8]] = [[0, 1, 4, 128, 0, 4, 128, 1, 1, 0, 2], [5, 2, 2, 0, 3, 4, 0, 2]]

  private let input = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * Period.frameCapacity)
  private let output = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * Period.frameCapacity)

  init() {}

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let rates: [Int32] = [44_100, 48_000, 8_000, 32_000, 22_050, 96_000, 7_350]
    let (from, to) = (SampleRate(recipe.pick(rates)), SampleRate(recipe.pick(rates)))
    guard from != to, var converter = RateConverter(from: from, to: to) else { return }
    var (given, made) = (0, 0)
    var periods = 0
    while !recipe.isOver, periods < 6 {
      let count = recipe.number(0...Period.maxPart)
      let loudness = recipe.pick([8_388_607, -8_388_608, 1 << 20, 0] as [Int32])
      for index in 0..<(2 * count) { input[index] = index & 8 == 0 ? loudness : ~loudness }
      converter.consume(input, count: count)
      given += count
      made += drain(&converter)
      periods += 1
    }
    converter.flush()
    made += drain(&converter)
    let due = given * Int(to.hertz) / Int(from.hertz)
    expect(abs(made - due) <= Int(to.hertz) / 50, "sound neither grows nor shrinks: \(made) frames, \(due) due")
  }

  private func drain(_ converter: inout RateConverter) -> Int {
    var sum = 0
    while true {
      let count = converter.next(output)
      if count == 0 { return sum }
      expect(count <= Period.frameCapacity, "a period holds what comes out")
      for index in 0..<(2 * count) {
        expect((-8_388_608...8_388_607).contains(output[index]), "samples keep to 24 bits")
      }
      sum += count
    }
  }
}

/// Parses any text as a sink and a format.
final class OutputReading: FuzzTarget {
  static let name = "output"
  static let longest = 60
  static let seeds = [
    "s16le/44100/2", "s24le/192000/1", "alsa:hw:0,0", "raw:-", "wav:/a", "null", "null:", "alsa:", "snapcast:/a",
  ]
  .map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    let text = String(decoding: bytes.array, as: UTF8.self)
    if let format = PcmFormat(text) {
      expect(PcmFormat(format.description) == format, "a format is read as it is written")
      expect((4_000...192_000).contains(format.rate.hertz), "a rate is one that sinks have")
    }
    switch OutputRequest(text)?.kind {
    case .raw(let path), .wav(let path):
      expect(!path.isEmpty && text.utf8.count == path.utf8.count + 4, "a path is whole")
    case .alsa(let device): expect(!device.isEmpty, "a device has a name")
    case .snapcast(let pipe): expect(!pipe.isEmpty && pipe != "-", "a pipe has a path")
    case .null, nil: break
    }
  }
}
