#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void bk_mark_written(int fd) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  (void)fcntl(fd, F_OFD_SETLK, &whole);
}

bool bk_is_written(int fd) {
  struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

int bk_rename_new(int folder, const char *from, const char *to) {
  if (renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -errno;
  if (linkat(folder, from, folder, to, 0) != 0) return -errno;
  if (unlinkat(folder, from, 0) == 0) return 0;
  int reason = errno;
  (void)unlinkat(folder, to, 0);
  return -reason;
}
