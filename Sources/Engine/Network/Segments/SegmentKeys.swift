import Listings

/// Caches the last keys of an HLS station and decrypts its segments. Net thread only.
final class SegmentKeys {
  enum Need: Equatable {
    case nothing
    case key(WebAddress)
    case other
  }

  private struct Held {
    let address: WebAddress
    let decryptor: SegmentDecryptor
  }

  /// Maximum number of cached keys: for a segment and for its common header.
  private static let mostHeld = 2

  /// In order of use; the last used key is the last element.
  private var held: [Held] = []
  private var missing: WebAddress?
  /// Nil if the received bytes are not encrypted.
  private var current: SegmentDecryptor?

  /// Selects the key of a segment, or of its header (EXT-X-MAP) if `isMap`. Returns `.key` if a fetch is needed first.
  func begin(_ segment: MediaSegment, isMap: Bool, from base: WebAddress) -> Need {
    (current, missing) = (nil, nil)
    guard segment.key?.isOpen != false, segment.map?.key?.isOpen != false else { return .other }
    guard let key = isMap ? segment.map?.key : segment.key else { return .nothing }
    // A common header has no sequence number that could serve as its vector (RFC 8216, 4.3.2.5).
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

  func decrypt(_ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    guard let current else { return body(bytes) }
    current.take(bytes, body)
  }

  /// Stores a received key, or passes the decrypted rest of a segment to `body`. Returns false for an invalid key or a
  /// damaged segment. The key of a damaged segment is removed, since the station may have changed it.
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
