import Rendering
import Units

/// What was asked for, opened: a card, a file, or nothing. The control thread's.
struct Output: ~Copyable {
  private let request: OutputRequest
  private var device: AlsaDevice?
  private var file: SoundFile?
  let ratePolicy: RatePolicy
  private let samples: SampleFormat

  /// The rates of stations and of sound cards.
  private static let usualRates: [Int32] = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
  ]

  init(_ request: OutputRequest) throws(SinkError) {
    self.request = request
    var samples = request.format?.samples ?? .s16le
    switch request.kind {
    case .alsa(let name):
      let device = try AlsaDevice.open(name, forced: request.format)
      let rates = Self.usualRates.map { SampleRate($0) }.filter { device.accepts($0) }
      if let forced = request.format, !device.accepts(forced.rate) {
        throw .deviceUnsuitable(name, what: "\(forced.rate)")
      }
      ratePolicy = request.format.map { .fixed($0.rate) } ?? .follow(rates)
      samples = device.samples
      self.device = consume device
    case .raw(let path), .wav(let path):
      let isWav = if case .wav = request.kind { true } else { false }
      file = try SoundFile(path, isWav: isWav)
      ratePolicy = request.format.map { .fixed($0.rate) } ?? .keepFirst
    case .null:
      ratePolicy = request.format.map { .fixed($0.rate) } ?? .follow([])
    }
    self.samples = samples
  }

  /// The rate to make ready for before anything is known: most stations'.
  var firstRate: SampleRate { outputRate(for: .cd) }

  var depth: Int { samples.depth }

  /// Whether sound goes to a file or a pipe.
  var isFile: Bool { file != nil }

  /// Whether sound is taken as fast as it comes.
  var isFree: Bool {
    if case .alsa = request.kind { return false }
    return !request.isPaced
  }

  /// What people call it.
  var name: String {
    switch request.kind {
    case .alsa(let name), .raw(let name), .wav(let name): name
    case .null: "null"
    }
  }

  func outputRate(for rate: SampleRate) -> SampleRate { ratePolicy.rate(for: rate, first: rate) }

  /// Sets the sink for a programme's rate and channels.
  mutating func configure(_ rate: SampleRate, channels: Int) throws(SinkError) -> Sink {
    if let sink = try device?.configure(
      rate, periodMilliseconds: request.periodMilliseconds, bufferMilliseconds: request.bufferMilliseconds)
    {
      return sink
    }
    // A clock needs no more than two periods to a buffer: half the wake-ups of a card.
    let frames = Int(rate.hertz) * request.bufferMilliseconds / 2000
    var sink = Sink(
      isPaced: request.isPaced, samples: samples, channels: request.format?.channels ?? channels, rate: rate,
      periodFrames: max(1, frames), bufferFrames: max(1, frames * 2))
    if file != nil { try attachFile(&sink) }
    return sink
  }

  private mutating func attachFile(_ sink: inout Sink) throws(SinkError) {
    let format = PcmFormat(samples: sink.samples, rate: sink.rate, channels: sink.channels)
    try file?.begin(format)
    sink.kind = file?.isPipe == true ? .pipe : .file
    sink.descriptor = file?.descriptor ?? -1
  }

  /// Completes a file.
  mutating func finish() throws(SinkError) { try file?.finish() }
}
