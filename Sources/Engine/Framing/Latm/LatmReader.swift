/// Extracts AAC from LOAS frames (AudioSyncStream, ISO 14496-3, 1.7.2) as ADTS. A frame is accepted if a syncword
/// follows it, or, after an accepted frame, if its access units fill it exactly. After damage the search continues one
/// byte later. Skips frames in other formats. Reserves memory once, in `init`. One thread at a time.
public struct LatmReader: ~Copyable {
  private static var headerByteCount: Int { 3 }
  private static var syncByteCount: Int { 2 }
  private static var maxFrameByteCount: Int { headerByteCount + 0x1FFF }
  /// Twice the bytes needed to accept a frame, so that bytes are seldom moved to the front.
  private static var capacity: Int { 2 * (maxFrameByteCount + syncByteCount) }

  private var buffer = [UInt8](repeating: 0, count: Self.capacity)
  private var buffered = 0..<0
  private var adtsFrame = [UInt8](
    repeating: 0, count: AudioSpecificConfig.headerByteCount + AudioSpecificConfig.maxPayloadByteCount)
  private var mux: StreamMuxConfig?
  /// Refusal by the first frame after a search, applied only if a second frame follows.
  private var pendingRefusal: RefusedCodec?

  /// Reason why the last config cannot be played; nil if the config is playable or has not arrived.
  public private(set) var refusal: RefusedCodec?
  /// True if the last frame was accepted and no damage followed.
  public private(set) var isLocked = false

  /// Creates a reader at the beginning of a stream.
  public init() {}

  /// Processes bytes. `audio` receives one complete ADTS frame per call.
  public mutating func read(_ bytes: Span<UInt8>, audio: (Span<UInt8>) -> Void) {
    var place = 0
    while place < bytes.count {
      place += append(bytes.extracting(place..<bytes.count))
      while advance(audio) {}
    }
  }

  /// Discards incomplete data, because unrelated bytes follow. The config and the refusal remain.
  public mutating func reset() {
    buffered = 0..<0
    isLocked = false
    pendingRefusal = nil
  }

  private enum Step {
    case frame(AudioMuxElement, byteCount: Int)
    case garbage(Int)
    case needsMore
  }

  private mutating func advance(_ audio: (Span<UInt8>) -> Void) -> Bool {
    switch checkNext() {
    case .frame(let element, let byteCount):
      process(element, audio)
      buffered = buffered.lowerBound + byteCount..<buffered.upperBound
      isLocked = true
      return true
    case .garbage(let count):
      buffered = buffered.lowerBound + count..<buffered.upperBound
      isLocked = false
      pendingRefusal = nil
      return true
    case .needsMore:
      assert(
        buffered.count < Self.maxFrameByteCount + Self.syncByteCount, "a frame and a syncword are enough to decide")
      return false
    }
  }

  private func checkNext() -> Step {
    let bytes = buffer.span.extracting(buffered)
    guard bytes.count >= Self.headerByteCount else { return .needsMore }
    guard Self.isSync(bytes, at: 0) else { return .garbage(Self.search(bytes)) }
    let end = Self.headerByteCount + Int(bytes[1] & 0x1F) << 8 + Int(bytes[2])
    guard bytes.count >= end else { return .needsMore }
    let isFollowed = bytes.count < end + Self.syncByteCount ? nil : Self.isSync(bytes, at: end)
    if !isLocked, isFollowed != true { return isFollowed == nil ? .needsMore : .garbage(Self.search(bytes)) }
    let element = AudioMuxElement(bytes.extracting(Self.headerByteCount..<end), known: mux)
    if isLocked, case .accessUnits(_, _, isExact: true) = element { return .frame(element, byteCount: end) }
    guard let isFollowed else { return .needsMore }
    if !isLocked, case .broken = element { return .garbage(Self.search(bytes)) }
    return isFollowed ? .frame(element, byteCount: end) : .garbage(Self.search(bytes))
  }

  /// The syncword has 11 bits; two bytes must be available.
  private static func isSync(_ bytes: Span<UInt8>, at place: Int) -> Bool {
    bytes[place] == 0x56 && bytes[place + 1] & 0xE0 == 0xE0
  }

  private static func search(_ bytes: Span<UInt8>) -> Int {
    for place in 1..<bytes.count - 1 where isSync(bytes, at: place) { return place }
    return bytes[bytes.count - 1] == 0x56 ? bytes.count - 1 : bytes.count
  }

  private mutating func process(_ element: AudioMuxElement, _ audio: (Span<UInt8>) -> Void) {
    if let pendingRefusal { refusal = pendingRefusal }
    pendingRefusal = nil
    switch element {
    case .accessUnits(let mux, let position, _):
      self.mux = mux
      refusal = nil
      deliver(mux, from: position, to: audio)
    case .refused(let codec):
      mux = nil
      if isLocked { refusal = codec } else { pendingRefusal = codec }
    case .unconfigured, .broken: break
    }
  }

  private mutating func deliver(_ mux: StreamMuxConfig, from position: Int, to audio: (Span<UInt8>) -> Void) {
    let first = buffered.lowerBound + Self.headerByteCount
    var bits: BitReader
    do {
      let bytes = buffer.span.extracting(first..<buffered.upperBound)
      bits = BitReader(bytes)
      bits.skip(position)
    }
    for _ in 0..<mux.unitCount {
      let byteCount = AudioMuxElement.unitByteCount(&bits, of: buffer.span.extracting(first..<buffered.upperBound))
      let place = bits.position
      bits.skip(8 * byteCount)
      guard byteCount > 0, mux.config.writeAdtsHeader(payloadByteCount: byteCount, into: &adtsFrame) else { continue }
      copy(byteCount, from: 8 * first + place)
      audio(adtsFrame.span.extracting(0..<AudioSpecificConfig.headerByteCount + byteCount))
    }
  }

  private mutating func copy(_ byteCount: Int, from position: Int) {
    let shift = UInt8(position & 7)
    var place = position >> 3
    for index in AudioSpecificConfig.headerByteCount..<AudioSpecificConfig.headerByteCount + byteCount {
      adtsFrame[index] = shift == 0 ? buffer[place] : buffer[place] << shift | buffer[place + 1] >> (8 - shift)
      place += 1
    }
  }

  private mutating func append(_ bytes: Span<UInt8>) -> Int {
    let count = min(bytes.count, Self.capacity - buffered.count)
    if buffered.upperBound + count > Self.capacity { moveToFront() }
    for index in 0..<count { buffer[buffered.upperBound + index] = bytes[index] }
    buffered = buffered.lowerBound..<buffered.upperBound + count
    return count
  }

  private mutating func moveToFront() {
    for (place, index) in buffered.enumerated() { buffer[place] = buffer[index] }
    buffered = 0..<buffered.count
  }
}
