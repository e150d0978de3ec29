#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <unistd.h>

void bk_mark_written(int fd) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  (void)fcntl(fd, F_OFD_SETLK, &whole);
}

bool bk_is_written(int fd) {
  struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}
