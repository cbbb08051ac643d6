/*===- Main.h - What the files of compiled programs share -----------------*- C -*-===*/
#ifndef PTC_LIB_RUNTIME_MAIN_MAIN_H
#define PTC_LIB_RUNTIME_MAIN_MAIN_H

#include "../Stub.h"
#include "ptc/Runtime/Main.h"

/* The command line. */
typedef struct {
  const char *program; /* argv[0] */
  const char *entry, *weights, *output;
  const char **files; /* .npy */
  size_t num_files;
  uint32_t calls, threads;
  bool has_calls, bench, help;
} main_options;

/* A tensor read from a file, in memory of its own. */
typedef struct {
  DLTensor view;
  int64_t *sizes, *strides;
} main_tensor;

/* The model and what it is called with. */
typedef struct {
  ptc_model *model;
  ptc_context *context;
  ptc_value *inputs, *outputs;
  main_tensor *tensors;
  size_t num_tensors;
  unsigned char *saved; /* what the tensors held first */
} main_session;

/*===- Say.c -----------------------------------------------------------------------===*/

/* Prints `error: TEXT [PTCnnnn]` and a hint on stderr; gives the exit code of the row. `first` and
   `second` fill the holes of its text; `hint`: null for the row's own. */
int main_say(ptc_main_diag_id id, const char *first, const char *second, const char *hint);
/* `format` has one %s for `detail`. */
int main_say_usage(const char *format, const char *detail);
int main_say_no_memory(void);
/* For a call that did not end well. */
int main_say_call(const ptc_context *context, ptc_status status);
/* Whether it is about a GPU or its driver. */
bool main_is_of_device(ptc_status status);
/* Writes a text to stdout; false: there was no memory for all of it. */
bool main_print(ptc_text_buffer *text);
/* 0, or the exit code where stdout could not be written. */
int main_flush(void);

/*===- Npy.c -----------------------------------------------------------------------===*/

typedef enum { main_npy_ok, main_npy_malformed, main_npy_type, main_npy_memory } main_npy_status;

/* Parses the bytes of a .npy file. `why`: what is wrong with them, or their element type. */
main_npy_status main_parse_npy(const unsigned char *bytes, size_t size, main_tensor *out,
                               char why[128]);
/* 0, or the exit code of what was said. */
int main_read_npy(const char *path, main_tensor *out);
/* Writes files FOLDER/out0.npy … of the tensors, all of them or none. 0 or an exit code. */
int main_write_npys(const char *folder, const DLTensor *const *tensors, size_t n);
void main_free_tensor(main_tensor *tensor);

/*===- Show.c ----------------------------------------------------------------------===*/

/* Adds the text of node `root`; false: out of memory. */
bool main_show(ptc_text_buffer *out, const ptc_value *leaves, uint32_t root);
/* The tensors that node `root` shows, in order: as many as `out` has room for. `*n`: in, that room;
   out, how many there are. False: out of memory. */
bool main_shown_tensors(const ptc_value *leaves, uint32_t root, const DLTensor **out, size_t *n);

/*===- Bench.c ---------------------------------------------------------------------===*/

int main_bench(main_session *session, const main_options *options);

#endif /* PTC_LIB_RUNTIME_MAIN_MAIN_H */
