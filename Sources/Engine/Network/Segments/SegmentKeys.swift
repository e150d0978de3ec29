import Http
import Listings

/// Caches the last keys of an HLS station and decrypts its segments. Net thread only.
final class SegmentKeys {
  enum FetchRequirement: Equatable {
    case nothing
    case key(WebAddress)
    case unsupported
  }

  private struct CachedKey {
    let address: WebAddress
    let decryptor: SegmentDecryptor
  }

  /// Maximum number of cached keys: for a segment and for its common header.
  private static let maxCachedKeys = 2

  /// In order of use; the last used key is the last element.
  private var cached: [CachedKey] = []
  private var missingKey: WebAddress?
  /// Nil if the received bytes are not encrypted.
  private var decryptor: SegmentDecryptor?

  /// Selects the key of a segment, or of its header (EXT-X-MAP) if `isMap`. Returns `.key` if a fetch is needed first.
  func selectKey(_ segment: MediaSegment, isMap: Bool, from base: WebAddress) -> FetchRequirement {
    (decryptor, missingKey) = (nil, nil)
    guard segment.key?.isOpen != false, segment.map?.key?.isOpen != false else { return .unsupported }
    guard let key = isMap ? segment.map?.key : segment.key else { return .nothing }
    // A common header has no sequence number that could serve as its vector (RFC 8216, 4.3.2.5).
    guard !isMap || key.vector != nil, let reference = key.address, let address = try? base.resolve(reference) else {
      return .unsupported
    }
    guard let place = cached.firstIndex(where: { $0.address == address }) else {
      missingKey = address
      return .key(address)
    }
    cached.append(cached.remove(at: place))
    decryptor = cached.last?.decryptor
    decryptor?.begin(key.vector(of: segment.sequence))
    return .nothing
  }

  func decrypt(_ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    guard let decryptor else { return body(bytes) }
    decryptor.decrypt(bytes, body)
  }

  /// Stores a received key, or passes the decrypted rest of a segment to `body`. Returns false for an invalid key or a
  /// damaged segment. The key of a damaged segment is removed, since the station may have changed it.
  func finish(_ fetch: SegmentFetch, _ body: (Span<UInt8>) -> Void) -> Bool {
    if fetch.kind == .key { return store(fetch.key) }
    guard let decryptor else { return true }
    self.decryptor = nil
    do throws(SegmentDecryptor.Fault) {
      try decryptor.finish(body)
      return true
    } catch {
      cached.removeAll { $0.decryptor === decryptor }
      return false
    }
  }

  private func store(_ key: [UInt8]) -> Bool {
    guard let missingKey, let decryptor = SegmentDecryptor(key: key) else { return false }
    if cached.count == Self.maxCachedKeys { cached.removeFirst() }
    cached.append(CachedKey(address: missingKey, decryptor: decryptor))
    return true
  }
}
