// A plug-in for QEMU's user emulation that counts the instructions of a program with one thread. QEMU's header is not
// part of Debian's packages, so this file declares the used functions. API is the version.
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

struct qemu_plugin_tb;
typedef uint64_t qemu_plugin_id_t;

void qemu_plugin_register_vcpu_tb_trans_cb(
    qemu_plugin_id_t id, void (*translated)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(
    struct qemu_plugin_tb *block, void (*executed)(unsigned, void *), int flags, void *count);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*ended)(qemu_plugin_id_t, void *), void *);

EXPORT int qemu_plugin_version = API;

static uint64_t total;

static void executed(unsigned processor, void *count) {
  (void)processor;
  total += (uintptr_t)count;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_cb(block, executed, 0, (void *)qemu_plugin_tb_n_insns(block));
}

static void ended(qemu_plugin_id_t id, void *ignored) {
  (void)id;
  (void)ignored;
  fprintf(stderr, "instructions %" PRIu64 "\n", total);
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int count, char **words) {
  (void)info;
  (void)count;
  (void)words;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
