import CCrypto

/// Decrypts segments by one key: AES with 128 bits, CBC and PKCS7 padding (RFC 8216, 4.3.2.4; EVP_DecryptInit_ex(3)).
///
/// All memory is taken when it is made. One thread at a time.
final class SegmentDecryptor {
  /// What is wrong with a segment that came to its end.
  enum Fault: Error {
    /// It is no multiple of 16 bytes, or has none.
    case length
    /// It does not end with padding: it was encrypted by another key, or damaged.
    case padding
  }

  /// Bytes of a key.
  static let keyByteCount = 16
  /// Bytes of a block, and of an initialization vector.
  static let blockByteCount = 16
  /// Bytes that are decrypted at a time.
  private static let pieceByteCount = 16 << 10

  private let context: OpaquePointer
  private let plain: UnsafeMutableBufferPointer<UInt8>
  /// Bytes since the begin.
  private var count = 0
  /// Whether libcrypto did all that it was asked for.
  private var isSound = true

  /// A decryptor by `key`; nil where that is not 16 bytes, or no memory is left.
  init?(key: [UInt8]) {
    guard key.count == Self.keyByteCount, let context = EVP_CIPHER_CTX_new() else { return nil }
    guard EVP_DecryptInit_ex(context, EVP_aes_128_cbc(), nil, key, nil) == 1 else {
      EVP_CIPHER_CTX_free(context)
      return nil
    }
    self.context = context
    // What is held back of the piece before comes with it.
    plain = .allocate(capacity: Self.pieceByteCount + Self.blockByteCount)
  }

  deinit {
    EVP_CIPHER_CTX_free(context)
    plain.deallocate()
  }

  /// A segment with that initialization vector of 16 bytes begins; nothing is left of the one before.
  func begin(_ vector: [UInt8]) {
    precondition(vector.count == Self.blockByteCount, "a vector has 16 bytes")
    count = 0
    isSound = EVP_DecryptInit_ex(context, nil, nil, nil, vector) == 1
  }

  /// Takes bytes of the segment, and gives `body` what they are; the last block waits, since it may be padding.
  func take(_ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    var place = 0
    while place < bytes.count, isSound {
      let end = min(bytes.count, place + Self.pieceByteCount)
      var length: Int32 = 0
      isSound = bytes.extracting(place..<end).withUnsafeBufferPointer {
        EVP_DecryptUpdate(context, plain.baseAddress, &length, $0.baseAddress, Int32($0.count)) == 1
      }
      count += end - place
      place = end
      give(length, body)
    }
  }

  /// The segment's last byte came: gives `body` what the last block is without its padding.
  func finish(_ body: (Span<UInt8>) -> Void) throws(Fault) {
    guard count > 0, count.isMultiple(of: Self.blockByteCount) else { throw .length }
    var length: Int32 = 0
    guard isSound, EVP_DecryptFinal_ex(context, plain.baseAddress, &length) == 1 else {
      // libcrypto keeps a list of errors for each thread, which libcurl would take for its own.
      ERR_clear_error()
      throw .padding
    }
    give(length, body)
  }

  private func give(_ length: Int32, _ body: (Span<UInt8>) -> Void) {
    guard isSound, length > 0 else { return }
    body(UnsafeBufferPointer(rebasing: plain[..<Int(length)]).span)
  }
}
