/* Makes every fsync and fdatasync of a process take at least SLOW_FSYNC_MS, to stand in for a slower disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void wait_a_while(void) {
  const char *text = getenv("SLOW_FSYNC_MS");
  long ms = text ? atol(text) : 0;
  struct timespec pause = {ms / 1000, (ms % 1000) * 1000000L};
  if (ms > 0) nanosleep(&pause, NULL);
}

int fsync(int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_a_while();
  return real(fd);
}

int fdatasync(int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_a_while();
  return real(fd);
}
