/// Finds the frames in the bytes of a FLAC stream (RFC 9639, 9). The CRC processes each byte once, and each possible
/// frame header is remembered. A frame is proven by a second header with the next number, if the CRC-16 between both is
/// 0. Damage therefore affects only the damaged frame, and false headers have no effect.
struct FlacFrameScanner {
  struct Start {
    /// Position in the stream, in bytes.
    let position: Int
    let mark: UInt16
    let header: FlacFrameHeader
    let form: FlacForm

    var nextNumber: Int { header.number + (header.hasVariableBlocks ? header.blockSize : 1) }

    func isLike(_ other: Start) -> Bool {
      form == other.form && header.hasVariableBlocks == other.header.hasVariableBlocks
    }

    func isSound(to place: Int, _ mark: UInt16) -> Bool {
      mark == self.mark && place - position >= header.byteCount + 3
    }
  }

  struct Found {
    let start: Start
    let byteCount: Int
    /// True if the next frame in encoding order follows. This frame is then not the last of the stream.
    let isFollowed: Bool
  }

  enum Step {
    case frame(Found)
    case garbage(Int)
    case stream(Int)
    case needsMore
  }

  private enum Look { case step(Step), wait, nothing }

  /// Ascending by position.
  private var starts: [Start] = []
  private var position = 0
  private var crc: UInt16 = 0

  /// Maximum number of remembered starts. Two suffice, unless a stream is crafted to mislead.
  private static let mostStarts = 64

  init() { starts.reserveCapacity(Self.mostStarts) }

  func isFresh(at base: Int) -> Bool { position <= base }

  mutating func reset() {
    starts.removeAll(keepingCapacity: true)
    (position, crc) = (0, 0)
  }

  /// Repeated calls return the same step until the caller drops its bytes.
  mutating func scan(_ window: borrowing ByteWindow, known: FlacForm?, isFinal: Bool) -> Step {
    let bytes = window.storage.span.extracting(window.held)
    let base = window.position
    if position < base { (position, crc) = (base, 0) }
    starts.removeAll { $0.position < base }
    while position - base < bytes.count {
      run(bytes, from: base)
      guard position - base < bytes.count else { break }
      if let first = starts.first, position - first.position > FlacFramer.longestFrame {
        starts.removeFirst()
        return .garbage((starts.first?.position ?? position) - base)
      }
      switch look(bytes, from: base, known, isFinal) {
      case .step(let step): return step
      case .wait: return pause(base)
      case .nothing: break
      }
      crc = FlacChecksum.crc16(crc, bytes[position - base])
      position += 1
    }
    guard isFinal, !bytes.isEmpty else { return pause(base) }
    if let found = frame(endingLike: known) { return .frame(found) }
    starts.removeAll(keepingCapacity: true)
    return .garbage(bytes.count)
  }

  private mutating func run(_ bytes: Span<UInt8>, from base: Int) {
    let longest = starts.first.map { $0.position - base + FlacFramer.longestFrame + 1 }
    let end = min(bytes.count, longest ?? .max)
    var (place, sum) = (position - base, crc)
    while place < end, !Self.isLandmark(bytes[place]) {
      sum = FlacChecksum.crc16(sum, bytes[place])
      place += 1
    }
    (position, crc) = (base + place, sum)
  }

  private func pause(_ base: Int) -> Step {
    let garbage = (starts.first?.position ?? position) - base
    return garbage > 0 ? .garbage(garbage) : .needsMore
  }

  private static func isLandmark(_ byte: UInt8) -> Bool {
    byte == 0xFF || byte == 0x66 || byte == 0x54 || byte == 0x41 || byte == 0x49 || byte == 0x4C
  }

  private mutating func look(_ bytes: Span<UInt8>, from base: Int, _ known: FlacForm?, _ isFinal: Bool) -> Look {
    let place = position - base
    switch bytes[place] {
    case 0xFF: return lookForFrame(bytes, at: place, known, isFinal)
    case UInt8(ascii: "f"): return lookForStream(bytes, at: place, known, isFinal)
    default:
      guard !starts.isEmpty else { return .nothing }
      switch MetadataTag.search(bytes, at: place) {
      case .found: return frame(endingLike: known).map { .step(.frame($0)) } ?? .nothing
      case .cut: return !isFinal && frame(endingLike: known) != nil ? .wait : .nothing
      case .nothing: return .nothing
      }
    }
  }

  private mutating func lookForFrame(
    _ bytes: Span<UInt8>, at place: Int, _ known: FlacForm?, _ isFinal: Bool
  ) -> Look {
    guard let header = FlacFrameHeader(bytes, at: place) else {
      let isCut = bytes.count - place < FlacFrameHeader.mostBytes && !isFinal
      return isCut && (place + 1 == bytes.count || bytes[place + 1] & 0xFE == 0xF8) ? .wait : .nothing
    }
    guard let form = FlacForm(header, known: known) else { return .nothing }
    let start = Start(position: position, mark: FlacMark.mark(crc, at: position), header: header, form: form)
    if let found = frame(before: start) { return .step(.frame(found)) }
    // The first start is retained, because another frame ended there.
    if starts.count == Self.mostStarts { starts.remove(at: 1) }
    starts.append(start)
    return .nothing
  }

  /// Another stream ends a frame. If no frame ends there, the stream must prove itself by a valid STREAMINFO.
  private func lookForStream(_ bytes: Span<UInt8>, at place: Int, _ known: FlacForm?, _ isFinal: Bool) -> Look {
    let rest = bytes.extracting(place..<bytes.count)
    switch FlacHead.search(rest) {
    case .nothing: return .nothing
    case .cut: return isFinal ? .nothing : .wait
    case .found:
      if let found = frame(endingLike: known) { return .step(.frame(found)) }
      guard rest.count >= FlacHead.leastByteCount else { return isFinal ? .nothing : .wait }
      let info = rest.extracting(FlacHead.markByteCount + 4..<rest.count)
      return FlacStreamInfo(info) != nil ? .step(.stream(place)) : .nothing
    }
  }

  private func frame(before next: Start) -> Found? {
    guard
      let start = starts.first(where: {
        $0.isSound(to: next.position, next.mark) && $0.isLike(next) && $0.nextNumber == next.header.number
      })
    else { return nil }
    // A complete frame without a consecutive number may precede the proven frame: frames between them are lost.
    let earlier = starts.first {
      $0.position < start.position && $0.isSound(to: start.position, start.mark) && $0.isLike(start)
    }
    if let earlier { return Found(start: earlier, byteCount: start.position - earlier.position, isFollowed: false) }
    return Found(start: start, byteCount: next.position - start.position, isFollowed: true)
  }

  private func frame(endingLike known: FlacForm?) -> Found? {
    guard !starts.isEmpty else { return nil }
    let mark = FlacMark.mark(crc, at: position)
    guard let start = starts.first(where: { $0.isSound(to: position, mark) && (known == nil || $0.form == known) })
    else { return nil }
    return Found(start: start, byteCount: position - start.position, isFollowed: false)
  }
}
