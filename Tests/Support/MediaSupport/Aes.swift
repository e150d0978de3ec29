import CCrypto

/// AES-128 in CBC mode, as for segments of HLS stations.
public enum Aes {
  /// Encrypts `plain` with a key and an initialization vector of 16 bytes each. `isPadded`: with PKCS7 padding.
  public static func encrypt(_ plain: [UInt8], key: [UInt8], vector: [UInt8], isPadded: Bool = true) -> [UInt8] {
    precondition(key.count == 16 && vector.count == 16, "a key and a vector have 16 bytes")
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    var cipher = [UInt8](repeating: 0, count: plain.count + 16)
    var (count, last): (Int32, Int32) = (0, 0)
    EVP_EncryptInit_ex(context, EVP_aes_128_cbc(), nil, key, vector)
    EVP_CIPHER_CTX_set_padding(context, isPadded ? 1 : 0)
    EVP_EncryptUpdate(context, &cipher, &count, plain, Int32(plain.count))
    cipher.withUnsafeMutableBufferPointer { cipher in
      _ = EVP_EncryptFinal_ex(context, cipher.baseAddress.map { $0 + Int(count) }, &last)
    }
    return Array(cipher.prefix(Int(count + last)))
  }

  /// Returns the default initialization vector for a sequence number.
  public static func vector(of sequence: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: 8) + (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (8 * (7 - $0))) }
  }
}
