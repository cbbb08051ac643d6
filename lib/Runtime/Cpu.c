/*===- Cpu.c - Whether this CPU runs the code of an artefact -----------------------------===*
 *
 * In: which rows of CpuFeatures.def the code may use; what CPUID and XGETBV say. Out: those that
 * are not there, by name.
 *
 *===----------------------------------------------------------------------------===*/
#include "Stub.h"

#include <cpuid.h>

#define EXTENDED 0x80000000u
#define HAS_XGETBV (1u << 27) /* of ECX of leaf 1 */

/* Without pointers: they would be relocations of every artefact. */
typedef struct {
  char name[16];
  uint32_t leaf, state;
  uint8_t subleaf, word, shift, mask, least;
} feature;

static const feature kFeatures[] = {
#define PTC_CPU_FEATURE(Name, Leaf, Subleaf, Register, Shift, Mask, Least, State)                  \
  {Name, Leaf, State, Subleaf, Register, Shift, Mask, Least},
#include "ptc/Runtime/CpuFeatures.def"
};
#define NUM_FEATURES (sizeof kFeatures / sizeof *kFeatures)
_Static_assert(NUM_FEATURES <= 64, "a bit of ptc_program.cpu_features for each");

/* Leaves that the CPU does not have are 0. */
static void read_leaf(uint32_t leaf, uint32_t subleaf, uint32_t words[4]) {
  memset(words, 0, 4 * sizeof *words);
  if (__get_cpuid_max(leaf & EXTENDED, NULL) < leaf)
    return;
  if (subleaf) {
    __cpuid_count(leaf, 0, words[0], words[1], words[2], words[3]);
    if (words[0] < subleaf) {
      memset(words, 0, 4 * sizeof *words);
      return;
    }
  }
  __cpuid_count(leaf, subleaf, words[0], words[1], words[2], words[3]);
}

/* XCR0; 0 where the operating system saves nothing beyond SSE. */
static uint64_t read_enabled(void) {
  uint32_t words[4], low, high;
  read_leaf(1, 0, words);
  if (!(words[2] & HAS_XGETBV))
    return 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

const ptc_cpu ptc_this_cpu = {read_leaf, read_enabled};

/* Adds to what stands in `text`, as far as there is room. */
static void append(char *text, size_t size, const char *more) {
  size_t length = strlen(text);
  for (; *more && length + 1 < size; ++length)
    text[length] = *more++;
  text[length] = 0;
}

bool ptc_cpu_has(const ptc_cpu *cpu, uint64_t wanted, char *missing, size_t size) {
  uint32_t words[4] = {0}, leaf = 0, subleaf = 0;
  uint64_t enabled = wanted ? cpu->enabled() : 0;
  bool has_all = true;
  missing[0] = 0;
  for (size_t i = 0; i < NUM_FEATURES; ++i) {
    const feature *row = &kFeatures[i];
    if (!(wanted >> i & 1))
      continue;
    if (leaf != row->leaf || subleaf != row->subleaf)
      cpu->read(leaf = row->leaf, subleaf = row->subleaf, words);
    bool is_there = (words[row->word] >> row->shift & row->mask) >= row->least;
    bool is_on = (enabled & row->state) == row->state;
    if (is_there && is_on)
      continue;
    append(missing, size, has_all ? "" : ", ");
    append(missing, size, row->name);
    append(missing, size, is_there ? " (off in the operating system)" : "");
    has_all = false;
  }
  return has_all;
}
