/// Finds the frames in a FLAC stream (RFC 9639, 9). A frame is proven if a header with the next number follows, and the
/// CRC-16 between both headers is 0. Damage thus affects only its frame. The CRC processes each byte once.
struct FlacFrameScanner {
  struct Candidate {
    let position: Int
    let mark: UInt16
    let header: FlacFrameHeader
    let form: FlacFormat

    /// Number of the next frame. `countsSamples`: true for files from before FLAC 1.2.1 with variable blocks, which
    /// number samples without a mark in the header.
    func nextNumber(countsSamples: Bool) -> Int {
      header.number + (header.hasVariableBlocks || countsSamples ? header.blockSize : 1)
    }

    /// True if `next` has the next number. Rate, channels and depth may change between two frames.
    func precedes(_ next: Candidate) -> Bool {
      header.hasVariableBlocks == next.header.hasVariableBlocks
        && [nextNumber(countsSamples: false), nextNumber(countsSamples: true)].contains(next.header.number)
    }

    func matches(_ other: Candidate) -> Bool {
      form == other.form && header.hasVariableBlocks == other.header.hasVariableBlocks
    }

    func hasValidChecksum(to place: Int, _ mark: UInt16) -> Bool {
      mark == self.mark && place - position >= header.byteCount + 3
    }
  }

  struct Found {
    let start: Candidate
    let byteCount: Int
    /// True if the next frame in encoding order follows. This frame is then not the last of the stream.
    var isFollowed: Bool { nextNumber != nil }
    /// Number of the frame that follows; nil without such a frame.
    var nextNumber: Int?
  }

  enum Step {
    case frame(Found)
    case garbage(Int)
    case stream(Int)
    case needsMore
  }

  private enum Inspection { case step(Step), wait, nothing }

  /// Ascending by position.
  private var candidates: [Candidate] = []
  private var position = 0
  private var crc: UInt16 = 0

  /// Maximum number of remembered starts. Two suffice, unless a stream is crafted to mislead.
  private static let maxCandidateCount = 64

  init() { candidates.reserveCapacity(Self.maxCandidateCount) }

  func isFresh(at base: Int) -> Bool { position <= base }

  mutating func reset() {
    candidates.removeAll(keepingCapacity: true)
    (position, crc) = (0, 0)
  }

  /// Repeated calls return the same step until the caller drops its bytes.
  mutating func scan(_ window: borrowing ByteWindow, known: FlacFormat?, isFinal: Bool) -> Step {
    let bytes = window.storage.span.extracting(window.buffered)
    let base = window.position
    if position < base { (position, crc) = (base, 0) }
    candidates.removeAll { $0.position < base }
    while position - base < bytes.count {
      advanceToLandmark(bytes, from: base)
      guard position - base < bytes.count else { break }
      if let first = candidates.first, position - first.position > FlacFramer.maxFrameByteCount {
        candidates.removeFirst()
        return .garbage((candidates.first?.position ?? position) - base)
      }
      switch inspect(bytes, from: base, known, isFinal) {
      case .step(let step): return step
      case .wait: return pause(base)
      case .nothing: break
      }
      crc = FlacChecksum.crc16(crc, bytes[position - base])
      position += 1
    }
    guard isFinal, !bytes.isEmpty else { return pause(base) }
    if let found = frame(endingLike: known) { return .frame(found) }
    candidates.removeAll(keepingCapacity: true)
    return .garbage(bytes.count)
  }

  private mutating func advanceToLandmark(_ bytes: Span<UInt8>, from base: Int) {
    let longest = candidates.first.map { $0.position - base + FlacFramer.maxFrameByteCount + 1 }
    let end = min(bytes.count, longest ?? .max)
    let place = position - base
    guard place < end else { return }
    let landmark = FlacLandmark.first(in: bytes, place..<end)
    crc = FlacChecksum.crc16(crc, bytes.extracting(place..<landmark))
    position = base + landmark
  }

  private func pause(_ base: Int) -> Step {
    let garbage = (candidates.first?.position ?? position) - base
    return garbage > 0 ? .garbage(garbage) : .needsMore
  }

  private mutating func inspect(_ bytes: Span<UInt8>, from base: Int, _ known: FlacFormat?, _ isFinal: Bool)
    -> Inspection
  {
    let place = position - base
    switch bytes[place] {
    case 0xFF: return checkFrame(bytes, at: place, known, isFinal)
    case UInt8(ascii: "f"): return checkStream(bytes, at: place, known, isFinal)
    default:
      guard !candidates.isEmpty else { return .nothing }
      switch MetadataTag.search(bytes, at: place) {
      case .found: return frame(endingLike: known).map { .step(.frame($0)) } ?? .nothing
      case .cut: return !isFinal && frame(endingLike: known) != nil ? .wait : .nothing
      case .nothing: return .nothing
      }
    }
  }

  private mutating func checkFrame(
    _ bytes: Span<UInt8>, at place: Int, _ known: FlacFormat?, _ isFinal: Bool
  ) -> Inspection {
    guard let header = FlacFrameHeader(bytes, at: place) else {
      let isCut = bytes.count - place < FlacFrameHeader.maxByteCount && !isFinal
      return isCut && (place + 1 == bytes.count || bytes[place + 1] & 0xFE == 0xF8) ? .wait : .nothing
    }
    guard let form = FlacFormat(header, known: known) else { return .nothing }
    let start = Candidate(position: position, mark: FlacMark.mark(crc, at: position), header: header, form: form)
    if let found = frame(before: start) { return .step(.frame(found)) }
    // The first start is retained, because another frame ended there.
    if candidates.count == Self.maxCandidateCount { candidates.remove(at: 1) }
    candidates.append(start)
    return .nothing
  }

  /// Another stream ends a frame. If no frame ends there, the stream must prove itself by a valid STREAMINFO.
  private func checkStream(_ bytes: Span<UInt8>, at place: Int, _ known: FlacFormat?, _ isFinal: Bool) -> Inspection {
    let rest = bytes.extracting(place..<bytes.count)
    switch FlacHead.search(rest) {
    case .nothing: return .nothing
    case .cut: return isFinal ? .nothing : .wait
    case .found:
      if let found = frame(endingLike: known) { return .step(.frame(found)) }
      guard rest.count >= FlacHead.minByteCount else { return isFinal ? .nothing : .wait }
      let info = rest.extracting(FlacHead.magicByteCount + 4..<rest.count)
      return FlacStreamInfo(info) != nil ? .step(.stream(place)) : .nothing
    }
  }

  private func frame(before next: Candidate) -> Found? {
    guard
      let start = candidates.first(where: {
        $0.hasValidChecksum(to: next.position, next.mark) && $0.precedes(next) && $0.form == next.form
      })
    else { return frame(beforeChangeAt: next) }
    // A complete frame without a consecutive number may precede the proven frame: frames between them are lost. After
    // a change of the format, the number is consecutive.
    let earlier = candidates.first {
      $0.position < start.position && $0.hasValidChecksum(to: start.position, start.mark)
        && ($0.matches(start) || $0.precedes(start))
    }
    guard let earlier else {
      return Found(start: start, byteCount: next.position - start.position, nextNumber: next.header.number)
    }
    let isFollowed = earlier.precedes(start)
    return Found(
      start: earlier, byteCount: start.position - earlier.position, nextNumber: isFollowed ? start.header.number : nil)
  }

  /// Returns a frame before a change of the format. A single header with another format may be part of a frame, so the
  /// frame after it must be proven by `next`.
  private func frame(beforeChangeAt next: Candidate) -> Found? {
    for middle in candidates where middle.hasValidChecksum(to: next.position, next.mark) && middle.precedes(next) {
      let start = candidates.first {
        $0.position < middle.position && $0.hasValidChecksum(to: middle.position, middle.mark) && $0.precedes(middle)
      }
      guard let start else { continue }
      return Found(
        start: start, byteCount: middle.position - start.position, nextNumber: middle.header.number)
    }
    return nil
  }

  private func frame(endingLike known: FlacFormat?) -> Found? {
    guard !candidates.isEmpty else { return nil }
    let mark = FlacMark.mark(crc, at: position)
    guard
      let start = candidates.first(where: {
        $0.hasValidChecksum(to: position, mark) && (known == nil || $0.form == known)
      })
    else { return nil }
    return Found(start: start, byteCount: position - start.position)
  }
}
