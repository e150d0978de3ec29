#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int bound(int family, int *port) {
  int fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -errno;
  struct sockaddr_storage place;
  memset(&place, 0, sizeof place);
  socklen_t size = family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
  place.ss_family = family;
  int off = 0;
  if (family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) < 0) goto failed;
  // A title needs one packet of 1,024 bytes; a small buffer limits a flood.
  int room = 16 * 1024;
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  if (bind(fd, (struct sockaddr *)&place, size) < 0) goto failed;
  if (getsockname(fd, (struct sockaddr *)&place, &size) < 0) goto failed;
  *port = ntohs(family == AF_INET6 ? ((struct sockaddr_in6 *)&place)->sin6_port
                                   : ((struct sockaddr_in *)&place)->sin_port);
  return fd;
failed:;
  int code = errno;
  close(fd);
  return -code;
}

int bk_datagram_open(int *port) {
  int fd = bound(AF_INET6, port);
  return fd < 0 ? bound(AF_INET, port) : fd;
}

long bk_datagram_read(int fd, void *bytes, size_t room, bk_peer *peer) {
  memset(peer, 0, sizeof *peer);
  socklen_t size = sizeof peer->address;
  ssize_t count = recvfrom(fd, bytes, room, MSG_TRUNC | MSG_DONTWAIT, (struct sockaddr *)peer->address, &size);
  if (count < 0) return -errno;
  peer->size = size <= sizeof peer->address ? size : sizeof peer->address;
  return count;
}

/// Converts text without its zone to an IPv6 address, IPv4 as a mapped address; false if malformed.
static bool mapped(const char *text, struct in6_addr *address) {
  char plain[INET6_ADDRSTRLEN + 16];
  size_t length = strcspn(text, "%");
  if (length >= sizeof plain) return false;
  memcpy(plain, text, length);
  plain[length] = 0;
  if (inet_pton(AF_INET6, plain, address) == 1) return true;
  static const uint8_t prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
  memcpy(address, prefix, sizeof prefix);
  return inet_pton(AF_INET, plain, (uint8_t *)address + sizeof prefix) == 1;
}

bool bk_peer_is(const bk_peer *peer, const char *address) {
  const struct sockaddr_storage *place = (const struct sockaddr_storage *)peer->address;
  char text[INET6_ADDRSTRLEN];
  struct in6_addr here, there;
  const void *part = place->ss_family == AF_INET6 ? (const void *)&((const struct sockaddr_in6 *)place)->sin6_addr
                                                  : (const void *)&((const struct sockaddr_in *)place)->sin_addr;
  if (place->ss_family != AF_INET && place->ss_family != AF_INET6) return false;
  if (!inet_ntop(place->ss_family, part, text, sizeof text)) return false;
  return mapped(text, &here) && mapped(address, &there) && memcmp(&here, &there, sizeof here) == 0;
}

long bk_datagram_answer(int fd, const void *bytes, size_t count, const bk_peer *peer) {
  const struct sockaddr *place = (const struct sockaddr *)peer->address;
  ssize_t sent = sendto(fd, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL, place, peer->size);
  return sent < 0 ? -errno : sent;
}
