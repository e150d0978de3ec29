import Listings

/// The keys of an HLS station's segments: those that came last, and the one that decrypts what comes. The net thread's.
final class SegmentKeys {
  /// What a segment, or what it has in common with others, needs first.
  enum Need: Equatable {
    /// It can be fetched now.
    case nothing
    /// The key at that address.
    case key(WebAddress)
    /// What nobody has: it is encrypted in a way that is not played.
    case other
  }

  private struct Held {
    let address: WebAddress
    let decryptor: SegmentDecryptor
  }

  /// So many keys are held: a segment's, and that of its header.
  private static let mostHeld = 2

  /// The one that was used last is the last one.
  private var held: [Held] = []
  /// The key that is to be fetched.
  private var missing: WebAddress?
  /// Decrypts what comes; nil where that is not encrypted.
  private var current: SegmentDecryptor?

  /// A segment comes next, or its header (EXT-X-MAP), of a list at `base`: what that needs.
  func begin(_ segment: MediaSegment, isMap: Bool, from base: WebAddress) -> Need {
    (current, missing) = (nil, nil)
    guard segment.key?.isOpen != false, segment.map?.key?.isOpen != false else { return .other }
    guard let key = isMap ? segment.map?.key : segment.key else { return .nothing }
    // RFC 8216, 4.3.2.5: a header has no number that could be its vector.
    guard !isMap || key.vector != nil, let reference = key.address, let address = try? base.resolve(reference) else {
      return .other
    }
    guard let place = held.firstIndex(where: { $0.address == address }) else {
      missing = address
      return .key(address)
    }
    held.append(held.remove(at: place))
    current = held.last?.decryptor
    current?.begin(key.vector(of: segment.sequence))
    return .nothing
  }

  /// Gives `body` what bytes are that came.
  func decrypt(_ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    guard let current else { return body(bytes) }
    current.take(bytes, body)
  }

  /// A request came to its end: takes the key, or gives `body` what is left of a segment. False where that is no key,
  /// or where the segment is broken; its key may be another one now.
  func end(_ fetch: SegmentFetch, _ body: (Span<UInt8>) -> Void) -> Bool {
    if fetch.kind == .key { return take(fetch.key) }
    guard let current else { return true }
    self.current = nil
    do throws(SegmentDecryptor.Fault) {
      try current.finish(body)
      return true
    } catch {
      held.removeAll { $0.decryptor === current }
      return false
    }
  }

  private func take(_ key: [UInt8]) -> Bool {
    guard let missing, let decryptor = SegmentDecryptor(key: key) else { return false }
    if held.count == Self.mostHeld { held.removeFirst() }
    held.append(Held(address: missing, decryptor: decryptor))
    return true
  }
}
