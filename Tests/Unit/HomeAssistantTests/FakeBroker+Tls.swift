import CMosquitto
import TestSupport

extension FakeBroker {
  /// A TLS broker with this key and certificate, which accepts the radio and then calls `act`.
  static func encrypted(
    _ tls: OpenSSL, _ act: @escaping @Sendable (_ ssl: OpaquePointer, _ descriptor: Int32) -> Void
  ) throws -> FakeBroker {
    let (certificate, key) = (tls.certificate, tls.key)
    return try FakeBroker { descriptor in
      bk_mqtt_block_sigpipe()
      let context = SSL_CTX_new(TLS_server_method())
      defer { SSL_CTX_free(context) }
      SSL_CTX_use_certificate_file(context, certificate, SSL_FILETYPE_PEM)
      SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM)
      guard let ssl = SSL_new(context) else { return }
      defer { SSL_free(ssl) }
      SSL_set_fd(ssl, descriptor)
      var piece = [UInt8](repeating: 0, count: 4_096)
      guard SSL_accept(ssl) == 1, SSL_read(ssl, &piece, Int32(piece.count)) > 0 else { return }
      SSL_write(ssl, [0x20, 2, 0, 0] as [UInt8], 4)
      act(ssl, descriptor)
    }
  }
}
