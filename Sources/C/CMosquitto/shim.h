#pragma once
#include <errno.h>
#include <mosquitto.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <netinet/in.h>

// libmosquitto allocates the announced length of a packet, up to 256 MB, and reads while bytes are available. Therefore
// the bytes are peeked first: in the kernel's buffer, or with TLS one record at a time. With TLS, a gate limits
// libmosquitto to peeked records.

/// A client's TLS state, and the gate between socket and OpenSSL.
typedef struct {
  SSL_CTX *context;
  /// First fault of the server's certificate (X509_V_ERR_…), or X509_V_OK.
  long fault;
  BIO_METHOD *method;
  int fd;
  /// True if OpenSSL may read from the socket.
  bool is_open;
  /// Maximum bytes that the current call of OpenSSL may still read.
  int allowance;
  /// True if the last call of OpenSSL emptied the socket.
  bool is_dry;
  /// Consecutive peeks that found no bytes for libmosquitto and did not empty the socket.
  int empty_looks;
  bool is_over;
} bk_mqtt_tls;

static inline SSL *bk_mqtt_ssl(struct mosquitto *client) { return (SSL *)mosquitto_ssl_get(client); }

static inline int bk_mqtt_verify(int is_right, X509_STORE_CTX *store) {
  SSL *ssl = (SSL *)X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
  bk_mqtt_tls *tls = (bk_mqtt_tls *)SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
  if (!is_right && tls->fault == X509_V_OK) tls->fault = X509_STORE_CTX_get_error(store);
  return is_right;
}

/// Opens the gate for the bytes of two records, because OpenSSL reads on after a record without data.
static inline void bk_mqtt_open_gate(bk_mqtt_tls *tls) {
  tls->is_open = true;
  tls->is_dry = false;
  tls->allowance = 2 * SSL3_RT_MAX_PACKET_SIZE;
}

static inline int bk_mqtt_gate_read(BIO *bio, char *bytes, int room) {
  bk_mqtt_tls *tls = (bk_mqtt_tls *)BIO_get_data(bio);
  BIO_clear_retry_flags(bio);
  if (!tls->is_open || tls->allowance <= 0) {
    errno = EAGAIN;
    BIO_set_retry_read(bio);
    return -1;
  }
  int count = (int)recv(tls->fd, bytes, (size_t)(room < tls->allowance ? room : tls->allowance), MSG_DONTWAIT);
  if (count > 0) tls->allowance -= count;
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
    tls->is_dry = true;
    BIO_set_retry_read(bio);
  }
  if (count == 0) tls->is_over = true;
  return count;
}

static inline long bk_mqtt_gate_control(BIO *bio, int command, long number, void *pointer) {
  (void)number, (void)pointer;
  if (command == BIO_CTRL_EOF) return ((bk_mqtt_tls *)BIO_get_data(bio))->is_over;
  return command == BIO_CTRL_FLUSH;
}

/// Frees the state. Destroy the client first.
static inline void bk_mqtt_tls_free(bk_mqtt_tls *tls) {
  if (!tls) return;
  SSL_CTX_free(tls->context);
  BIO_meth_free(tls->method);
  free(tls);
}

/// Configures a client for TLS 1.2 or later and the certificate of `host`, a name or an IP address; NULL on failure.
/// Trusts the certificates in `ca_file`, or the system's certificates if NULL.
static inline bk_mqtt_tls *bk_mqtt_tls_make(struct mosquitto *client, const char *host, const char *ca_file) {
  bk_mqtt_tls *tls = (bk_mqtt_tls *)calloc(1, sizeof *tls);
  if (!tls) return NULL;
  tls->fault = X509_V_OK;
  tls->context = SSL_CTX_new(TLS_client_method());
  tls->method = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "gate");
  bool is_ready = tls->context && tls->method && SSL_CTX_set_min_proto_version(tls->context, TLS1_2_VERSION) == 1;
  if (is_ready) {
    X509_VERIFY_PARAM *rules = SSL_CTX_get0_param(tls->context);
    is_ready = X509_VERIFY_PARAM_set1_ip_asc(rules, host) == 1 || X509_VERIFY_PARAM_set1_host(rules, host, 0) == 1;
    X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    SSL_CTX_set_app_data(tls->context, tls);
    SSL_CTX_set_verify(tls->context, SSL_VERIFY_PEER, bk_mqtt_verify);
    // Without renegotiation, the next record read is the peeked record.
    SSL_CTX_set_options(tls->context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    BIO_meth_set_read(tls->method, bk_mqtt_gate_read);
    BIO_meth_set_ctrl(tls->method, bk_mqtt_gate_control);
  }
  is_ready = is_ready && (ca_file ? SSL_CTX_load_verify_locations(tls->context, ca_file, NULL)
                                  : SSL_CTX_set_default_verify_paths(tls->context)) == 1;
  ERR_clear_error();
  is_ready = is_ready && mosquitto_void_option(client, MOSQ_OPT_SSL_CTX, tls->context) == MOSQ_ERR_SUCCESS &&
             mosquitto_int_option(client, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0) == MOSQ_ERR_SUCCESS;
  if (is_ready) return tls;
  bk_mqtt_tls_free(tls);
  return NULL;
}

/// Inserts the open gate into a connecting client; false without TLS or memory.
static inline bool bk_mqtt_tls_gate(bk_mqtt_tls *tls, struct mosquitto *client) {
  SSL *ssl = bk_mqtt_ssl(client);
  BIO *bio = ssl ? BIO_new(tls->method) : NULL;
  if (!bio) return false;
  tls->fd = mosquitto_socket(client);
  bk_mqtt_open_gate(tls);
  // Otherwise OpenSSL would not return while records without data arrive.
  SSL_clear_mode(ssl, SSL_MODE_AUTO_RETRY);
  BIO_set_data(bio, tls);
  BIO_set_init(bio, 1);
  SSL_set0_rbio(ssl, bio);
  return true;
}

/// Continues the handshake (SSL_do_handshake); returns 1 when done, 0 in progress, -1 on failure.
static inline int bk_mqtt_handshake(struct mosquitto *client, bk_mqtt_tls *tls) {
  SSL *ssl = bk_mqtt_ssl(client);
  if (!ssl || !tls) return -1;
  ERR_clear_error();
  bk_mqtt_open_gate(tls);
  int code = SSL_do_handshake(ssl);
  if (code == 1) return 1;
  int error = SSL_get_error(ssl, code);
  ERR_clear_error();
  return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? 0 : -1;
}

/// Returns true if a pending write needs the rest of a TLS message from the server first (SSL_want(3)).
static inline bool bk_mqtt_wants_input(struct mosquitto *client) {
  SSL *ssl = bk_mqtt_ssl(client);
  return ssl && mosquitto_want_write(client) && SSL_want_read(ssl);
}

static inline bool bk_mqtt_handshake_wants_room(struct mosquitto *client) {
  SSL *ssl = bk_mqtt_ssl(client);
  return ssl && SSL_want_write(ssl);
}

/// Copies up to `room` received bytes that libmosquitto has not read, without consuming them. With TLS, at most one
/// record, 16,384 bytes. Returns the number of bytes, 0 without bytes, or -1 at the end or after a failure.
static inline int bk_mqtt_peek(struct mosquitto *client, bk_mqtt_tls *tls, uint8_t *bytes, int room) {
  if (!tls) {
    int count = (int)recv(mosquitto_socket(client), bytes, (size_t)room, MSG_PEEK | MSG_DONTWAIT);
    if (count > 0) return count;
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
  }
  SSL *ssl = bk_mqtt_ssl(client);
  if (!ssl) return -1;
  ERR_clear_error();
  bk_mqtt_open_gate(tls);
  int count = SSL_peek(ssl, bytes, room);
  tls->is_open = false;
  tls->empty_looks = count > 0 || tls->is_dry ? 0 : tls->empty_looks + 1;
  if (count > 0) return count;
  int error = SSL_get_error(ssl, count);
  ERR_clear_error();
  return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? 0 : -1;
}

/// Returns the number of unread bytes in the peeked record.
static inline int bk_mqtt_left(struct mosquitto *client) {
  SSL *ssl = bk_mqtt_ssl(client);
  return ssl ? SSL_pending(ssl) : 0;
}

/// Makes poll(2) report a socket as readable only from `count` bytes on, or at its end (SO_RCVLOWAT).
static inline void bk_mqtt_wait_for(int fd, int count) {
  setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &count, sizeof count);
}

/// Returns 1 if a socket is connected, 0 while it connects, or -errno.
static inline int bk_mqtt_connected(int fd) {
  struct pollfd descriptor = {.fd = fd, .events = POLLOUT};
  int error = 0;
  socklen_t size = sizeof error;
  if (poll(&descriptor, 1, 0) <= 0) return 0;
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0) return -errno;
  if (error != 0) return -error;
  return descriptor.revents & POLLOUT ? 1 : 0;
}

/// Blocks SIGPIPE in this thread: OpenSSL and libmosquitto 2.0.11 write to closed connections without MSG_NOSIGNAL.
static inline void bk_mqtt_block_sigpipe(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
}
