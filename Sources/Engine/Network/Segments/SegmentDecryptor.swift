import CCrypto

/// Decrypts segments with one key: AES-128, CBC and PKCS7 padding (RFC 8216, 4.3.2.4; EVP_DecryptInit_ex(3)). All
/// memory is allocated by `init`. One thread at a time.
final class SegmentDecryptor {
  enum Fault: Error {
    /// The length is not a positive multiple of 16 bytes.
    case length
    /// The padding is invalid: the key is wrong or the data is damaged.
    case padding
  }

  static let keyByteCount = 16
  /// Size of a block and of an initialization vector.
  static let blockByteCount = 16
  private static let pieceByteCount = 16 << 10

  private let context: OpaquePointer
  private let plain: UnsafeMutableBufferPointer<UInt8>
  /// Bytes since `begin`.
  private var count = 0
  private var isSound = true

  /// Returns nil if `key` has not 16 bytes or no memory is left.
  init?(key: [UInt8]) {
    guard key.count == Self.keyByteCount, let context = EVP_CIPHER_CTX_new() else { return nil }
    guard EVP_DecryptInit_ex(context, EVP_aes_128_cbc(), nil, key, nil) == 1 else {
      EVP_CIPHER_CTX_free(context)
      return nil
    }
    self.context = context
    // One more block, since libcrypto retains the last block of the previous piece.
    plain = .allocate(capacity: Self.pieceByteCount + Self.blockByteCount)
  }

  deinit {
    EVP_CIPHER_CTX_free(context)
    plain.deallocate()
  }

  /// Starts a segment. `vector`: the initialization vector, 16 bytes.
  func begin(_ vector: [UInt8]) {
    precondition(vector.count == Self.blockByteCount, "a vector has 16 bytes")
    count = 0
    isSound = EVP_DecryptInit_ex(context, nil, nil, nil, vector) == 1
  }

  /// Decrypts bytes of the segment for `body`. The last block is retained, since it may be padding.
  func decrypt(_ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    var place = 0
    while place < bytes.count, isSound {
      let end = min(bytes.count, place + Self.pieceByteCount)
      var length: Int32 = 0
      isSound = bytes.extracting(place..<end).withUnsafeBufferPointer {
        EVP_DecryptUpdate(context, plain.baseAddress, &length, $0.baseAddress, Int32($0.count)) == 1
      }
      count += end - place
      place = end
      emit(length, body)
    }
  }

  /// Ends the segment: passes the last block without its padding to `body`.
  func finish(_ body: (Span<UInt8>) -> Void) throws(Fault) {
    guard count > 0, count.isMultiple(of: Self.blockByteCount) else { throw .length }
    var length: Int32 = 0
    guard isSound, EVP_DecryptFinal_ex(context, plain.baseAddress, &length) == 1 else {
      // libcurl would report the errors that libcrypto stores for each thread as its own.
      ERR_clear_error()
      throw .padding
    }
    emit(length, body)
  }

  private func emit(_ length: Int32, _ body: (Span<UInt8>) -> Void) {
    guard isSound, length > 0 else { return }
    body(UnsafeBufferPointer(rebasing: plain[..<Int(length)]).span)
  }
}
