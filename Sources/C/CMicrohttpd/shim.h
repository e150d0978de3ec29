#pragma once
#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

/// The callbacks of a daemon, each with `context` as first argument.
typedef struct {
  MHD_AccessHandlerCallback handle;
  MHD_RequestCompletedCallback complete;
  MHD_NotifyConnectionCallback connect;
  void *context;
} bk_http_calls;

/// Leaves a path and its arguments undecoded, so that callers receive each byte.
static inline size_t bk_http_keep(void *context, struct MHD_Connection *connection, char *text) {
  (void)context, (void)connection;
  return strlen(text);
}

/// Starts a daemon without its own threads and listening socket (MHD_start_daemon); NULL on failure.
/// The owner adds connections, waits for the daemon's descriptor, and runs it. A PEM key and certificate enable TLS.
static inline struct MHD_Daemon *bk_http_start(const bk_http_calls *calls, size_t memory, unsigned connections,
                                               const char *key, const char *certificate) {
  unsigned flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME;
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
      {MHD_OPTION_END, 0, NULL},
  };
  struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
  bool is_encrypted = key && certificate;
  if (is_encrypted) flags |= MHD_USE_TLS;
  return MHD_start_daemon(flags, 0, NULL, NULL, calls->handle, calls->context,                         //
                          MHD_OPTION_NOTIFY_COMPLETED, calls->complete, calls->context,                //
                          MHD_OPTION_NOTIFY_CONNECTION, calls->connect, calls->context,                //
                          MHD_OPTION_UNESCAPE_CALLBACK, bk_http_keep, NULL,                            //
                          MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,                                  //
                          MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_STRICT_FOR_CLIENT, 1,   //
                          MHD_OPTION_ARRAY, is_encrypted ? tls : none, MHD_OPTION_END);
}

/// Returns the daemon's descriptor for poll(2) (MHD_DAEMON_INFO_EPOLL_FD), or -1.
static inline int bk_http_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

/// Returns the maximum milliseconds until the next run, or -1 for no limit.
static inline long long bk_http_patience(struct MHD_Daemon *daemon) {
  MHD_UNSIGNED_LONG_LONG milliseconds = 0;
  return MHD_get_timeout(daemon, &milliseconds) == MHD_YES ? (long long)milliseconds : -1;
}

static inline int bk_http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/// Returns the bytes of a request's header, 0 if unknown (MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE).
static inline size_t bk_http_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

/// Returns the value that `connect` stored for a connection.
static inline void *bk_http_owner(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

/// Returns a callback's result; false closes the connection.
static inline enum MHD_Result bk_http_result(bool goes_on) { return goes_on ? MHD_YES : MHD_NO; }

static inline bool bk_http_is_start(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}

/// Adds an accepted connection; false if it was refused and closed (MHD_add_connection).
static inline bool bk_http_add(struct MHD_Daemon *daemon, int fd) {
  struct sockaddr_storage peer;
  socklen_t length = sizeof peer;
  if (getpeername(fd, (struct sockaddr *)&peer, &length) < 0) memset(&peer, 0, length = sizeof peer);
  return MHD_add_connection(daemon, fd, (struct sockaddr *)&peer, length) == MHD_YES;
}

/// Returns the first request header of this name, or NULL.
static inline const char *bk_http_header(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static inline const char *bk_http_cookie(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, name);
}

/// Passes each header, or each argument after "?", to `tell`. Arguments are undecoded, but with a blank for each "+".
static inline void bk_http_each(struct MHD_Connection *connection, bool headers, MHD_KeyValueIterator tell,
                                void *context) {
  MHD_get_connection_values(connection, headers ? MHD_HEADER_KIND : MHD_GET_ARGUMENT_KIND, tell, context);
}

/// Creates a response with a copy of the bytes (MHD_create_response_from_buffer); NULL without memory.
static inline struct MHD_Response *bk_http_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

/// Creates a response of unknown length from the parts of `read` (MHD_create_response_from_callback).
static inline struct MHD_Response *bk_http_stream(MHD_ContentReaderCallback read, void *context,
                                                  MHD_ContentReaderFreeCallback free) {
  return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read, context, free);
}

/// Creates a response of `count` bytes from blocks of `read` (MHD_create_response_from_callback).
static inline struct MHD_Response *bk_http_blocks(uint64_t count, size_t block, MHD_ContentReaderCallback read,
                                                  void *context, MHD_ContentReaderFreeCallback free) {
  return MHD_create_response_from_callback(count, block, read, context, free);
}

/// Returns the result of `read` after a failure, which ends the connection.
static inline ssize_t bk_http_failure(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

/// Returns the result of `read` at the end of a response.
static inline ssize_t bk_http_end(void) { return MHD_CONTENT_READER_END_OF_STREAM; }

static inline void bk_http_add_header(struct MHD_Response *response, const char *name, const char *value) {
  MHD_add_response_header(response, name, value);
}

/// Queues a response and releases it: the daemon frees the response after sending. Returns the callback's result.
static inline enum MHD_Result bk_http_answer(struct MHD_Connection *connection, unsigned status,
                                             struct MHD_Response *response) {
  enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result;
}
