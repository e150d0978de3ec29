#pragma once
#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/// An SRV record (RFC 2782).
typedef struct {
  uint16_t priority, weight, port;
  /// Host name, in the escaped text form of dn_expand(3).
  char host[NS_MAXDNAME];
} bk_service;

/// Prepares requests with one try of `seconds` for each name server of resolv.conf(5) (res_ninit(3)). Accepts truncated
/// answers, because the C library would wait for the whole answer by TCP without a limit.
static inline bool bk_resolver_open(struct __res_state *state, int seconds) {
  memset(state, 0, sizeof *state);
  if (res_ninit(state) != 0) return false;
  state->retrans = seconds;
  state->retry = 1;
  state->options |= RES_IGNTC;
  return true;
}

/// Requests a name's SRV records from each name server once, and blocks for some seconds (res_nquery(3)). Returns the
/// answer's length, at most `room`, or -1.
static inline int bk_service_ask(const char *name, uint8_t *answer, int room) {
  struct __res_state state;
  if (!bk_resolver_open(&state, 2)) return -1;
  int count = res_nquery(&state, name, ns_c_in, ns_t_srv, answer, room);
  res_nclose(&state);
  return count > room ? room : count;
}

/// Requests the root's name servers from the first name server, and blocks for a second at most. Returns true if the
/// answer denies that the root exists.
static inline bool bk_root_is_denied(void) {
  struct __res_state state;
  if (!bk_resolver_open(&state, 1)) return false;
  if (state.nscount > 1) state.nscount = 1;
  uint8_t answer[NS_PACKETSZ];
  int count = res_nquery(&state, ".", ns_c_in, ns_t_ns, answer, sizeof answer);
  bool is_denied = count < 0 && state.res_h_errno == HOST_NOT_FOUND;
  res_nclose(&state);
  return is_denied;
}

/// Parses up to `most` services of an answer, and returns their count. Stops at a malformed record.
static inline int bk_service_read(const uint8_t *answer, int count, bk_service *services, int most) {
  ns_msg message;
  if (count < 0 || ns_initparse(answer, count, &message) != 0) return 0;
  int found = 0;
  for (int place = 0; place < ns_msg_count(message, ns_s_an) && found < most; place++) {
    ns_rr record;
    if (ns_parserr(&message, ns_s_an, place, &record) != 0) break;
    if (ns_rr_type(record) != ns_t_srv || ns_rr_class(record) != ns_c_in || ns_rr_rdlen(record) < 7) continue;
    const uint8_t *data = ns_rr_rdata(record);
    bk_service *service = &services[found];
    service->priority = (uint16_t)ns_get16(data);
    service->weight = (uint16_t)ns_get16(data + 2);
    service->port = (uint16_t)ns_get16(data + 4);
    if (dn_expand(answer, answer + count, data + 6, service->host, sizeof service->host) < 0) continue;
    found++;
  }
  return found;
}
