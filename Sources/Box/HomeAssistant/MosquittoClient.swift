import CMosquitto
import Glibc
import Network

/// Stored results of libmosquitto's callbacks, because a callback must not publish.
final class MosquittoEvents {
  /// The broker's CONNACK code, 0 if accepted; nil before the reply.
  fileprivate(set) var answer: Int32?
  fileprivate(set) var isDeaf = false
  var onMessage: (_ topic: String, _ payload: [UInt8], _ isRetained: Bool) -> Void = { _, _, _ in }
}

/// A libmosquitto client for one connection, with MQTT 3.1.1 at QoS 0. One thread.
struct MosquittoClient: ~Copyable {
  /// Seconds of silence before libmosquitto sends a ping.
  static let keepAlive: Int32 = 60

  private let handle: OpaquePointer
  /// The TLS state; freed after `handle`.
  private var tls: UnsafeMutablePointer<bk_mqtt_tls>?
  /// The target of the callbacks; freed after `handle`.
  private let events: MosquittoEvents

  private static let isReady: Bool = mosquitto_lib_init() == Int32(MOSQ_ERR_SUCCESS.rawValue)

  init(_ id: String, _ events: MosquittoEvents) throws(BrokerFault) {
    let context = Unmanaged.passUnretained(events).toOpaque()
    guard Self.isReady, let handle = mosquitto_new(id, true, context) else {
      throw .library(Int32(MOSQ_ERR_NOMEM.rawValue))
    }
    (self.handle, self.events) = (handle, events)
    listen()
  }

  /// Sets credentials, TLS and the `will`, which the broker publishes if the connection breaks.
  mutating func prepare(for broker: Broker, will: MqttMessage?) throws(BrokerFault) {
    if let user = broker.user { try Self.check(mosquitto_username_pw_set(handle, user.name, user.password)) }
    if let will {
      let bytes = Array(will.payload.utf8)
      try Self.check(mosquitto_will_set(handle, will.topic, Int32(bytes.count), bytes, 0, will.isRetained))
    }
    guard broker.usesTls else { return }
    tls = bk_mqtt_tls_make(handle, broker.host, broker.caFile.isEmpty ? nil : broker.caFile)
    if tls == nil { throw .unusableCertificates }
  }

  deinit {
    mosquitto_destroy(handle)
    bk_mqtt_tls_free(tls)
  }

  private func listen() {
    mosquitto_connect_callback_set(handle) { _, context, code in
      MosquittoClient.events(context)?.answer = code
    }
    mosquitto_subscribe_callback_set(handle) { _, context, _, count, granted in
      guard count > 0, let granted else { return }
      for place in 0..<Int(count) where granted[place] > 2 { MosquittoClient.events(context)?.isDeaf = true }
    }
    mosquitto_message_callback_set(handle) { _, context, message in
      guard let message = message?.pointee, let topic = message.topic else { return }
      let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(max(0, message.payloadlen)))
      MosquittoClient.events(context)?.onMessage(String(cString: topic), Array(payload), message.retain)
    }
  }

  private static func events(_ context: UnsafeMutableRawPointer?) -> MosquittoEvents? {
    context.map { Unmanaged<MosquittoEvents>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: Connecting

  /// Starts to connect. With TLS, libmosquitto receives the host name, which the certificate check needs, instead of
  /// the address. A bind address selects the address family.
  func connect(_ broker: Broker, at address: BrokerAddress) throws(BrokerFault) {
    let host = broker.usesTls ? broker.host : address.text
    let own = broker.usesTls ? (address.isIPv6 ? "::" : "0.0.0.0") : nil
    let code = mosquitto_connect_bind_async(handle, host, Int32(broker.port), Self.keepAlive, own)
    let cause = errno
    switch code {
    case Int32(MOSQ_ERR_SUCCESS.rawValue): break
    case Int32(MOSQ_ERR_ERRNO.rawValue): throw .unreachable(cause)
    case Int32(MOSQ_ERR_EAI.rawValue): throw .noSuchHost
    case Int32(MOSQ_ERR_TLS.rawValue): throw tlsFault
    default: throw .library(code)
    }
    guard let tls else { return }
    guard bk_mqtt_tls_gate(tls, handle) else { throw .library(Int32(MOSQ_ERR_NOMEM.rawValue)) }
  }

  private var tlsFault: BrokerFault {
    let fault = tls?.pointee.fault ?? Int(X509_V_OK)
    return fault == Int(X509_V_OK) ? .noTls : .badCertificate(fault)
  }

  /// The socket's descriptor; negative without a socket.
  var descriptor: Int32 { mosquitto_socket(handle) }

  /// Returns true if TCP is connected. Throws `noTls` if a broker with TLS has already closed the connection.
  func isConnected() throws(BrokerFault) -> Bool {
    let progress = bk_mqtt_connected(descriptor)
    if progress == -ECONNRESET, tls != nil { throw .noTls }
    guard progress >= 0 else { throw .unreachable(-progress) }
    return progress == 1
  }

  /// Continues the TLS handshake. Returns true if the handshake is complete.
  func isSecured() throws(BrokerFault) -> Bool {
    let progress = bk_mqtt_handshake(handle, tls)
    guard progress >= 0 else { throw tlsFault }
    guard progress == 1 else { return false }
    tls?.pointee.is_open = false
    // libmosquitto 2.0.11 detects the end of the handshake only in a read.
    try read()
    return true
  }

  var needsRoomForHandshake: Bool { bk_mqtt_handshake_wants_room(handle) }

  // MARK: Reading and writing

  /// Copies received bytes that libmosquitto has not read. Returns the number of bytes, 0 without data.
  func peek(_ bytes: inout [UInt8]) throws(BrokerFault) -> Int {
    let count = bytes.withUnsafeMutableBufferPointer {
      bk_mqtt_peek(handle, tls, $0.baseAddress, Int32($0.count))
    }
    guard count >= 0 else { throw .closed }
    return Int(count)
  }

  /// Number of consecutive peeks that found only TLS records without MQTT data, and left data in the socket.
  var emptyLooks: Int { Int(tls?.pointee.empty_looks ?? 0) }

  /// Number of unread bytes in the peeked TLS record.
  var left: Int { Int(bk_mqtt_left(handle)) }

  /// Makes poll(2) report the socket only if `count` bytes are available, or if the connection ended.
  func wait(for count: Int) { bk_mqtt_wait_for(descriptor, Int32(count)) }

  /// Reads the peeked packet or record.
  func read() throws(BrokerFault) { try end(mosquitto_loop_read(handle, 1)) }

  var needsRoom: Bool { mosquitto_want_write(handle) }

  /// Writes pending bytes while the socket has room. Returns true if OpenSSL must read before it writes the rest.
  func write() throws(BrokerFault) -> Bool {
    try end(mosquitto_loop_write(handle, 1))
    return bk_mqtt_wants_input(handle)
  }

  /// Sends a ping if due; throws `silent` if the last ping was not answered.
  func keepAlive() throws(BrokerFault) {
    let code = mosquitto_loop_misc(handle)
    if code == Int32(MOSQ_ERR_KEEPALIVE.rawValue) { throw .silent }
    try end(code)
  }

  private func end(_ code: Int32) throws(BrokerFault) {
    switch code {
    case Int32(MOSQ_ERR_SUCCESS.rawValue): return
    case Int32(MOSQ_ERR_CONN_REFUSED.rawValue):
      // 4: bad user name or password, 5: not authorized.
      throw [4, 5].contains(events.answer) ? .userRefused : .refused(events.answer ?? 0)
    case Int32(MOSQ_ERR_PROTOCOL.rawValue), Int32(MOSQ_ERR_MALFORMED_PACKET.rawValue),
      Int32(MOSQ_ERR_MALFORMED_UTF8.rawValue):
      throw .garbage
    case Int32(MOSQ_ERR_NOMEM.rawValue): throw .library(code)
    default: throw .closed
    }
  }

  // MARK: Messages

  func subscribe(_ topic: String) throws(BrokerFault) { try Self.check(mosquitto_subscribe(handle, nil, topic, 0)) }

  /// Publishes a message. If the socket has no room, libmosquitto stores the rest for `write`.
  func publish(_ message: MqttMessage) throws(BrokerFault) {
    let bytes = Array(message.payload.utf8)
    try end(mosquitto_publish(handle, nil, message.topic, Int32(bytes.count), bytes, 0, message.isRetained))
  }

  /// Disconnects, so that the broker does not publish the will.
  func disconnect() { mosquitto_disconnect(handle) }

  private static func check(_ code: Int32) throws(BrokerFault) {
    if code != Int32(MOSQ_ERR_SUCCESS.rawValue) { throw .library(code) }
  }
}
