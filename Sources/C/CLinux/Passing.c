#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// Room for one descriptor, aligned for the kernel.
typedef union {
  struct cmsghdr head;
  char bytes[CMSG_SPACE(sizeof(int))];
} one_descriptor;

long bk_send_passing(int socket, const void *bytes, size_t count, int passed) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  one_descriptor room = {0};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof passed);
  memcpy(CMSG_DATA(head), &passed, sizeof passed);
  ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  return sent < 0 ? -errno : sent;
}

long bk_receive_passed(int socket, void *bytes, size_t count, int *passed) {
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  one_descriptor room = {0};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
  *passed = -1;
  ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (received < 0) return -errno;
  // The kernel closes descriptors for which `room` is too small.
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS &&
      head->cmsg_len == CMSG_LEN(sizeof *passed)) {
    memcpy(passed, CMSG_DATA(head), sizeof *passed);
  }
  return received;
}
