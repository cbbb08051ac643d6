/*===- Main.c - A compiled program ---------------------------------------------------===*
 *
 * In: the command line. Out: the call of the example, or one with other tensors: what it printed,
 * its result; or how long it takes. What is linked with it is the artefact alone, and it is used
 * through the C interface (ptc.h) as any other caller does.
 *
 *===----------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Main.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_THREADS 64u
#define MOST_CALLS 1000000000u

/*===----------------------------------------------------------------------------===*
 * The command line
 *===----------------------------------------------------------------------------===*/

static bool is_tensor(uint32_t leaf) { return ptc_this_main.inputs[leaf].tag == ptc_tag_Tensor; }

static size_t count_tensors(void) {
  size_t n = 0;
  for (uint32_t i = 0; i < ptc_this_main.num_inputs; ++i)
    n += is_tensor(i);
  return n;
}

/* `x: float32[2, 3]` */
static void put_leaf(ptc_text_buffer *out, uint32_t leaf) {
  const DLTensor *t = ptc_this_main.inputs[leaf].as.tensor;
  const ptc_dtype_names *type = ptc_dtype_of(t->dtype);
  char number[32];
  ptc_put_string(out, "  ");
  ptc_put_string(out, ptc_this_main.paths[leaf]);
  ptc_put_string(out, ": ");
  ptc_put_string(out, type ? type->name : "");
  ptc_put_string(out, "[");
  for (int32_t d = 0; d < t->ndim; ++d) {
    int n = snprintf(number, sizeof number, "%s%lld", d ? ", " : "", (long long)t->shape[d]);
    ptc_put(out, number, (size_t)n);
  }
  ptc_put_string(out, "]\n");
}

static int print_help(const char *program) {
  ptc_text_buffer out = {NULL, 0, 0, false};
  ptc_put_string(&out, "Usage: ");
  ptc_put_string(&out, program);
  ptc_put_string(
      &out,
      " [OPTIONS] [FILE.npy ...]\n\n"
      "Calls the compiled entry and prints what it gives, as `ptc run` does: with the example "
      "that\n"
      "it was compiled from, or with the tensors of the files in the places of the example's, in\n"
      "their order. What a call leaves behind, the next one sees.\n\n"
      "Options:\n"
      "  --entry NAME    the entry to call; there is one\n"
      "  --calls N       so many calls, one after the other; with --bench: so many samples of one\n"
      "                  call, instead of at least 200 in at least a second\n"
      "  --threads N     that a call may use, 1 to 64; default: 1\n"
      "  --output DIR    write the tensors of the result to DIR/out0.npy, DIR/out1.npy, ... "
      "instead\n"
      "                  of printing it\n"
      "  --bench         print the times of calls, as `ptc bench` does\n"
      "  --weights FILE  the .weights file, of a program whose weights are not embedded; default:\n"
      "                  beside the program\n"
      "  --help          print this\n\n"
      "Exit codes: 0 ok, 2 usage, 3 input unreadable, 4 input malformed, 6 output not written,\n"
      "10 limit exceeded, 12 not for this machine, 13 the program raised, 14 no variant fits,\n"
      "70 internal error.\n\nEntry: ");
  ptc_put_string(&out, ptc_this_main.entry);
  ptc_put_string(&out, count_tensors() ? "\nTensors of the example:\n" : "\n");
  for (uint32_t i = 0; i < ptc_this_main.num_inputs; ++i)
    if (is_tensor(i))
      put_leaf(&out, i);
  return main_print(&out) ? main_flush() : main_say_no_memory();
}

static int parse_number(const char *name, const char *text, uint32_t most, uint32_t *number) {
  uint64_t value = 0;
  const char *at = text;
  for (; *at >= '0' && *at <= '9' && value <= most; ++at)
    value = 10 * value + (uint64_t)(*at - '0');
  *number = (uint32_t)value;
  if (at != text && !*at && value >= 1 && value <= most)
    return 0;
  char format[128];
  snprintf(format, sizeof format, "%s '%%s': it is no number from 1 to %u", name, (unsigned)most);
  return main_say_usage(format, text);
}

/* Takes `--NAME VALUE` or `--NAME=VALUE` at `*i`; false: it is another option. A value that is not
   there is null. */
static bool take(const char *name, int argc, char **argv, int *i, const char **value) {
  size_t length = strlen(name);
  if (strncmp(argv[*i], name, length) != 0)
    return false;
  const char *rest = argv[*i] + length;
  if (*rest && *rest != '=')
    return false;
  *value = *rest ? rest + 1 : *i + 1 < argc ? argv[++*i] : NULL;
  return true;
}

/* One option; 0 or an exit code. */
static int parse_option(int argc, char **argv, int *i, main_options *out) {
  const char *name = argv[*i], *value = NULL;
  if (strcmp(name, "--bench") == 0) {
    out->bench = true;
    return 0;
  }
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
    out->help = true;
    return 0;
  }
  struct {
    const char *name, **text;
    uint32_t *number, most;
  } rows[] = {{"--entry", &out->entry, NULL, 0},
              {"--weights", &out->weights, NULL, 0},
              {"--output", &out->output, NULL, 0},
              {"--calls", NULL, &out->calls, MOST_CALLS},
              {"--threads", NULL, &out->threads, MOST_THREADS}};
  for (size_t row = 0; row < sizeof rows / sizeof *rows; ++row) {
    if (!take(rows[row].name, argc, argv, i, &value))
      continue;
    if (!value)
      return main_say_usage("%s needs a value", rows[row].name);
    if (rows[row].text) {
      *rows[row].text = value;
      return 0;
    }
    out->has_calls |= rows[row].number == &out->calls;
    return parse_number(rows[row].name, value, rows[row].most, rows[row].number);
  }
  return main_say_usage("there is no option '%s'", name);
}

static int parse(int argc, char **argv, main_options *out) {
  bool more = true;
  for (int i = 1; i < argc; ++i) {
    if (more && strcmp(argv[i], "--") == 0) {
      more = false;
    } else if (more && argv[i][0] == '-' && argv[i][1]) {
      int code = parse_option(argc, argv, &i, out);
      if (code)
        return code;
    } else {
      out->files[out->num_files++] = argv[i];
    }
  }
  return 0;
}

/* Options that do not go together, or not with the program. */
static int check(const main_options *options) {
  if (options->entry && strcmp(options->entry, ptc_this_main.entry) != 0)
    return main_say(ptc_diag_EntryNotFound, options->entry, options->program, NULL);
  if (options->output && options->bench)
    return main_say_usage("%s", "--output and --bench: a measured call has no result");
  if (options->output && options->calls > 1)
    return main_say_usage("%s", "--output and --calls: the files are those of one call");
  size_t tensors = count_tensors();
  if (!options->num_files || options->num_files == tensors)
    return 0;
  char text[160];
  snprintf(text, sizeof text, "%zu files of tensors are given, but the entry '%%s' takes %zu",
           options->num_files, tensors);
  return main_say_usage(text, ptc_this_main.entry);
}

/*===----------------------------------------------------------------------------===*
 * Opening
 *===----------------------------------------------------------------------------===*/

/* The .weights file beside the program: its path with another suffix. */
static char *weights_beside(const char *program) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  const char *from = length > 0 && (size_t)length < sizeof path ? path : program;
  size_t stem = from == path ? (size_t)length : strlen(program), name = stem;
  while (name && from[name - 1] != '/')
    --name;
  for (size_t i = stem; i > name; --i)
    if (from[i - 1] == '.') {
      stem = i - 1;
      break;
    }
  char *out = malloc(stem + sizeof ".weights");
  if (out) {
    memcpy(out, from, stem);
    memcpy(out + stem, ".weights", sizeof ".weights");
  }
  return out;
}

/* `text` is what the artefact says of the file, behind its name. */
static int say_weights(const char *file, const char *text, const char *program) {
  ptc_text_buffer why = {NULL, 0, 0, false};
  size_t length = strlen(file);
  bool names_file = strncmp(text, file, length) == 0 && strncmp(text + length, ": ", 2) == 0;
  ptc_put_string(&why, names_file ? text + length + 2 : text);
  ptc_put_string(&why, "; it should have the weights of '");
  ptc_put_string(&why, program);
  ptc_put_string(&why, "'");
  int code = main_say(
      ptc_diag_FileNotReadable, file, why.failed ? text : why.data,
      "name the .weights file that `ptc compile` wrote beside the program: --weights FILE");
  free(why.data);
  return code;
}

/* Why the artefact cannot be used here. */
static int say_status(const main_options *options, ptc_status status, const char *text) {
  if (main_is_of_device(status) || status == ptc_status_cpu)
    return main_say(ptc_diag_NoDevice, options->program, text, NULL);
  if (status == ptc_status_invalid_argument && options->weights)
    return main_say_usage("--weights are not used: those of %s, if it has any, are in it",
                          options->program);
  return main_say(ptc_diag_InternalError, text, "", NULL);
}

static int open_model(const main_options *options, main_session *session) {
  char text[4608]; /* a path and what is wrong there */
  char *beside = NULL;
  ptc_options how = {0};
  how.size = sizeof how;
  how.weights_path = options->weights;
  how.text = text;
  how.text_bytes = sizeof text;
  ptc_status status = ptc_model_open(&ptc_stub_api, &how, &session->model);
  if (status == ptc_status_weights && !options->weights) {
    how.weights_path = beside = weights_beside(options->program);
    if (!beside)
      return main_say_no_memory();
    status = ptc_model_open(&ptc_stub_api, &how, &session->model);
    if (status == ptc_status_invalid_argument) { /* it has weights of its own: these are wrong */
      how.weights_path = NULL;
      status = ptc_model_open(&ptc_stub_api, &how, &session->model);
    }
  }
  const char *file = how.weights_path ? how.weights_path : options->program;
  int code = status == ptc_status_ok        ? 0
             : status == ptc_status_weights ? say_weights(file, text, options->program)
                                            : say_status(options, status, text);
  free(beside);
  return code;
}

static int make_context(const main_options *options, main_session *session) {
  char text[4608];
  ptc_status status = ptc_context_make(session->model, &session->context, text, sizeof text);
  if (status != ptc_status_ok)
    return say_status(options, status, text);
  status = ptc_set_threads(session->context, options->threads);
  return status == ptc_status_ok
             ? 0
             : say_status(options, status, ptc_last_error(session->context)->text);
}

/* The example's leaves, tensors from files in their places. */
static int make_inputs(const main_options *options, main_session *session) {
  const ptc_main_table *table = &ptc_this_main;
  session->inputs = calloc(table->num_inputs + 1u, sizeof *session->inputs);
  session->outputs = calloc(table->num_outputs + 1u, sizeof *session->outputs);
  session->tensors = calloc(options->num_files + 1, sizeof *session->tensors);
  if (!session->inputs || !session->outputs || !session->tensors)
    return main_say_no_memory();
  for (uint32_t i = 0; i < table->num_inputs; ++i) {
    session->inputs[i] = table->inputs[i];
    if (!options->num_files || !is_tensor(i))
      continue;
    main_tensor *tensor = &session->tensors[session->num_tensors];
    int code = main_read_npy(options->files[session->num_tensors], tensor);
    if (code)
      return code;
    ++session->num_tensors;
    session->inputs[i].as.tensor = &tensor->view;
  }
  return 0;
}

static void close_session(main_session *session) {
  ptc_context_destroy(session->context);
  ptc_model_close(session->model);
  for (size_t i = 0; i < session->num_tensors; ++i)
    main_free_tensor(&session->tensors[i]);
  free(session->tensors);
  free(session->saved);
  free(session->inputs);
  free(session->outputs);
}

/*===----------------------------------------------------------------------------===*
 * Calls
 *===----------------------------------------------------------------------------===*/

static int write_result(const main_session *session, uint32_t root, const char *folder) {
  size_t n = 0, room;
  if (!main_shown_tensors(session->outputs, root, NULL, &n))
    return main_say_no_memory();
  const DLTensor **tensors = calloc(n + 1, sizeof *tensors);
  room = n;
  bool whole = tensors && main_shown_tensors(session->outputs, root, tensors, &room);
  int code = whole ? main_write_npys(folder, tensors, n) : main_say_no_memory();
  free((void *)tensors);
  return code;
}

static int print_result(const main_session *session, uint32_t root) {
  ptc_text_buffer out = {NULL, 0, 0, false};
  main_show(&out, session->outputs, root);
  ptc_put_string(&out, "\n");
  return main_print(&out) ? 0 : main_say_no_memory();
}

/* What tensors of the arguments hold before the first call, in the order of the leaves. */
static bool save_arguments(main_session *session) {
  size_t bytes = 0;
  uintptr_t begin, end;
  for (uint32_t i = 0; i < ptc_this_main.num_inputs; ++i)
    if (is_tensor(i) && ptc_extent(session->inputs[i].as.tensor, &begin, &end))
      bytes += end - begin;
  session->saved = malloc(bytes + 1);
  unsigned char *to = session->saved;
  for (uint32_t i = 0; to && i < ptc_this_main.num_inputs; ++i)
    if (is_tensor(i) && ptc_extent(session->inputs[i].as.tensor, &begin, &end)) {
      memcpy(to, (const void *)begin, end - begin);
      to += end - begin;
    }
  return session->saved;
}

static void restore_arguments(main_session *session) {
  const unsigned char *from = session->saved;
  uintptr_t begin, end;
  for (uint32_t i = 0; i < ptc_this_main.num_inputs; ++i)
    if (is_tensor(i) && ptc_extent(session->inputs[i].as.tensor, &begin, &end)) {
      memcpy((void *)begin, from, end - begin);
      from += end - begin;
    }
}

static int make_call(const main_options *options, main_session *session, ptc_status *status) {
  const ptc_main_table *table = &ptc_this_main;
  memset(session->outputs, 0, table->num_outputs * sizeof *session->outputs);
  ptc_invocation call = {0,
                         table->structure,
                         session->inputs,
                         table->num_inputs,
                         table->num_outputs,
                         session->outputs,
                         0,
                         0};
  if (table->has_seed)
    ptc_rng_seed(session->context, 0, table->seed);
  *status = ptc_invoke(session->context, &call);
  if (*status != ptc_status_ok)
    return main_say_call(session->context, *status);
  if (call.outcome == PTC_NO_OUTCOME)
    return main_say(ptc_diag_InternalError, "a call ended in no outcome", "", NULL);
  uint32_t root = table->roots[table->variant_begins[call.variant] + call.outcome];
  return options->output ? write_result(session, root, options->output)
                         : print_result(session, root);
}

/* Calls behind one that broke off would see other state than the program's: they are not made. Of
   several errors the first one counts that is no exception of the program. */
static int make_calls(const main_options *options, main_session *session) {
  int first = 0, raised = 0;
  if (options->calls > 1 && !save_arguments(session))
    return main_say_no_memory();
  for (uint32_t i = 0; i < options->calls; ++i) {
    ptc_status status;
    if (i)
      restore_arguments(session);
    int code = make_call(options, session, &status);
    if (status == ptc_status_raised)
      raised = code;
    else if (!first)
      first = code;
    if (code && status != ptc_status_raised && status != ptc_status_no_variant)
      break;
  }
  return first ? first : raised;
}

static int run(const main_options *options, main_session *session) {
  int code = make_inputs(options, session);
  if (!code)
    code = open_model(options, session);
  if (!code)
    code = make_context(options, session);
  if (!code)
    code = options->bench ? main_bench(session, options) : make_calls(options, session);
  int flushed = main_flush();
  return code ? code : flushed;
}

int ptc_main(int argc, char **argv) {
  main_options options = {
      argc ? argv[0] : ptc_this_name, NULL, NULL, NULL, NULL, 0, 1, 1, false, false, false};
  main_session session = {NULL, NULL, NULL, NULL, NULL, 0, NULL};
  options.files = calloc((size_t)argc + 1, sizeof *options.files);
  if (!options.files)
    return main_say_no_memory();
  int code = parse(argc, argv, &options);
  if (!code && options.help)
    code = print_help(options.program);
  else if (!code && (code = check(&options)) == 0)
    code = run(&options, &session);
  close_session(&session);
  free((void *)options.files);
  return code;
}
