#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

int bk_link_open(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (fd < 0) return -errno;
  struct sockaddr_nl address = {
      .nl_family = AF_NETLINK,
      .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE};
  if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  int failure = errno;
  close(fd);
  return -failure;
}

enum { LINK_CAME = 1, LINK_WENT = 2 };

static int link_change(struct nlmsghdr *message) {
  switch (message->nlmsg_type) {
  case RTM_NEWLINK: {
    if (message->nlmsg_len < NLMSG_LENGTH(sizeof(struct ifinfomsg))) return 0;
    struct ifinfomsg *link = NLMSG_DATA(message);
    unsigned carried = IFF_UP | IFF_RUNNING;
    return (link->ifi_flags & carried) == carried ? LINK_CAME : LINK_WENT;
  }
  case RTM_NEWADDR:
  case RTM_NEWROUTE: return LINK_CAME;
  case RTM_DELLINK:
  case RTM_DELADDR:
  case RTM_DELROUTE: return LINK_WENT;
  default: return 0;
  }
}

int bk_link_changes(int fd) {
  _Alignas(struct nlmsghdr) char buffer[8192];
  int changes = 0;
  for (int reads = 0; reads < 64; reads++) {
    ssize_t count = recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
    // The socket overflowed: any change is possible.
    if (count < 0 && errno == ENOBUFS) changes |= LINK_CAME | LINK_WENT;
    if (count < 0 && (errno == ENOBUFS || errno == EINTR)) continue;
    if (count <= 0) break;
    unsigned left = (unsigned)count;
    for (struct nlmsghdr *message = (void *)buffer; NLMSG_OK(message, left); message = NLMSG_NEXT(message, left))
      changes |= link_change(message);
  }
  return changes;
}
