import CCurl
import Glibc
import Units

struct CurlFailure {
  let code: CURLcode
  /// `CURLINFO_OS_ERRNO` of the failed connect.
  let osErrno: Int32
  /// `CURLINFO_SSL_VERIFYRESULT`: an `X509_V_ERR_…` of OpenSSL.
  let verifyResult: Int
  /// `CURLINFO_REQUEST_SIZE`: above 0 after a request was sent.
  let requestSize: Int
  /// The failure as a `NetworkError`. May read the interfaces to distinguish a dead host from a dead network.
  var error: NetworkError {
    switch code {
    // The scheme was checked before, so this is about the HTTP version.
    case CURLE_UNSUPPORTED_PROTOCOL: .badAnswer
    case CURLE_URL_MALFORMAT: .badURL
    case CURLE_COULDNT_RESOLVE_HOST: LinkProbe.isOffline() ? .noNetwork : .hostNotFound
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxyFailed
    case CURLE_COULDNT_CONNECT: connectError
    case CURLE_OPERATION_TIMEDOUT: LinkProbe.hasRoute() ? .connectTimeout : .noNetwork
    case CURLE_SSL_CONNECT_ERROR: .tls(.handshake)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: .tls(certificateFault)
    case CURLE_SSL_CACERT_BADFILE: .tls(.noTrustStore)
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING: .reset
    case CURLE_PARTIAL_FILE: .closedEarly
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_FILESIZE_EXCEEDED, Self.tooLarge: .badAnswer
    // Before version 8.6, libcurl reports a line too long for its buffers as a lack of memory.
    case CURLE_OUT_OF_MEMORY: requestSize > 0 ? .badAnswer : .outOfMemory
    default: .internal(code: Int32(bitPattern: code.rawValue))
    }
  }

  /// `CURLE_TOO_LARGE`, new in libcurl 8.6.
  private static var tooLarge: CURLcode { CURLcode(rawValue: 100) }

  private var connectError: NetworkError {
    switch osErrno {
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, EACCES, EPERM:
      LinkProbe.hasRoute() ? .unreachable : .noNetwork
    case ETIMEDOUT: .connectTimeout
    default: .refused
    }
  }

  /// The fault of the certificate, from OpenSSL's result. If libcurl itself finds a wrong name, this result is 0 or 1.
  private var certificateFault: NetworkError.TLSFault {
    switch verifyResult {
    case 9: .notYetValid
    case 10: .expired
    case 2, 18, 19, 20, 21: .unknownIssuer
    case 0, 1, 62, 64: .wrongHost
    default: .badCertificate
    }
  }
}
