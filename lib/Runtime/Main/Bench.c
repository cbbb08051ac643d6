/*===- Bench.c - How long calls take -------------------------------------------------===*
 *
 * In: an opened model, its arguments. Out: the table that `ptc bench` prints: the cold first call,
 * the distribution of warm ones, in microseconds, and what part guards, dispatch and kernels have.
 *
 *===----------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Main.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* At least so many samples, at least so long; a sample takes about so long. */
#define SAMPLES 200u
#define SECONDS 1.0
#define SAMPLE_US 20
#define WARM_UP 10u
/* How often guards and dispatch run in a row for one number of theirs, and how many numbers. */
#define PROFILE_REPEATS 1000u
#define PROFILES 21u

typedef struct {
  double *us; /* of a call */
  size_t length, capacity;
} samples;

static double now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

static bool add(samples *list, double us) {
  if (list->length == list->capacity) {
    size_t capacity = 2 * list->capacity + SAMPLES;
    double *grown = realloc(list->us, capacity * sizeof *grown);
    if (!grown)
      return false;
    list->us = grown;
    list->capacity = capacity;
  }
  list->us[list->length++] = us;
  return true;
}

static ptc_invocation invocation_of(const main_session *session) {
  ptc_invocation call = {0,
                         ptc_this_main.structure,
                         session->inputs,
                         ptc_this_main.num_inputs,
                         ptc_this_main.num_outputs,
                         session->outputs,
                         0,
                         0};
  return call;
}

/* Exceptions of the program are part of what is measured. */
static int check(const main_session *session, ptc_status status) {
  bool fine = status == ptc_status_ok || status == ptc_status_raised;
  return fine ? 0 : main_say_call(session->context, status);
}

/* The mean of `batch` calls, so that the clock does not show. */
static int sample(main_session *session, samples *list, unsigned batch) {
  double start = now_us();
  for (unsigned i = 0; i < batch; ++i) {
    ptc_invocation call = invocation_of(session);
    int code = check(session, ptc_invoke(session->context, &call));
    if (code)
      return code;
  }
  return add(list, (now_us() - start) / batch) ? 0 : main_say_no_memory();
}

/* `--calls`: so many samples of one call each. */
static int measure(main_session *session, const main_options *options, samples *list,
                   double *cold) {
  int code = sample(session, list, 1);
  if (!code)
    code = sample(session, list, WARM_UP);
  if (code)
    return code;
  *cold = list->us[0];
  double fitting = SAMPLE_US / (list->us[1] > 0.01 ? list->us[1] : 0.01);
  unsigned batch = options->has_calls || fitting < 1 ? 1
                   : fitting > 1000                  ? 1000
                                                     : (unsigned)fitting;
  uint32_t least = options->has_calls ? options->calls : SAMPLES;
  double end = now_us() + (options->has_calls ? 0 : 1e6 * SECONDS);
  list->length = 0;
  for (uint32_t i = 0; !code && (i < least || now_us() < end); ++i)
    code = sample(session, list, batch);
  return code;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Of numbers in ascending order. */
static double percentile(const double *sorted, size_t n, double part) {
  return sorted[(size_t)(part * (double)(n - 1) + 0.5)];
}

static void put_number(ptc_text_buffer *out, const char *format, double number) {
  char text[400];
  ptc_put(out, text, (size_t)snprintf(text, sizeof text, format, number));
}

static void put_name(ptc_text_buffer *out, const char *name) {
  ptc_put_string(out, " ");
  ptc_put_string(out, name);
  ptc_put_string(out, "\n");
}

static void put_row(ptc_text_buffer *out, const samples *list, double cold, const char *name) {
  static const double parts[] = {0.5, 0.9, 0.95, 0.99};
  double sum = 0, squares = 0;
  for (size_t i = 0; i < list->length; ++i)
    sum += list->us[i];
  double mean = sum / (double)list->length;
  for (size_t i = 0; i < list->length; ++i)
    squares += (list->us[i] - mean) * (list->us[i] - mean);
  qsort(list->us, list->length, sizeof *list->us, ascending);
  put_number(out, "%10.2f", cold);
  put_number(out, " %10.3f", list->us[0]);
  put_number(out, " %10.3f", mean);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    put_number(out, " %10.3f", percentile(list->us, list->length, parts[i]));
  double variation = __builtin_sqrt(squares / (double)list->length) / mean;
  put_number(out, " %9.1f%% ", 100 * variation);
  put_name(out, name);
}

static int put_parts(ptc_text_buffer *out, main_session *session, const char *name) {
  double parts[3][PROFILES];
  for (unsigned i = 0; i < PROFILES; ++i) {
    ptc_invocation call = invocation_of(session);
    ptc_profile profile = {sizeof profile, PROFILE_REPEATS, 0, 0, 0};
    int code = check(session, ptc_profile_call(session->context, &call, &profile));
    if (code)
      return code;
    parts[0][i] = profile.guards / 1000;
    parts[1][i] = profile.dispatch / 1000;
    parts[2][i] = profile.kernels / 1000;
  }
  ptc_put_string(out, "\n    guards   dispatch    kernels  us of a call, medians\n");
  for (unsigned part = 0; part < 3; ++part) {
    qsort(parts[part], PROFILES, sizeof(double), ascending);
    put_number(out, "%10.4f ", percentile(parts[part], PROFILES, 0.5));
  }
  put_name(out, name);
  return 0;
}

static void drop_output(void *user, int stream, const char *text, size_t length) {}

int main_bench(main_session *session, const main_options *options) {
  samples list = {NULL, 0, 0};
  ptc_text_buffer out = {NULL, 0, 0, false};
  double cold = 0;
  ptc_set_output(session->context, drop_output, NULL); /* what the program prints */
  int code = measure(session, options, &list, &cold);
  if (!code) {
    ptc_put_string(&out, "      cold        min       mean     median        p90        p95"
                         "        p99  variation  us of a call\n");
    put_row(&out, &list, cold, options->program);
    code = put_parts(&out, session, options->program);
  }
  bool whole = main_print(&out);
  free(list.us);
  return code || whole ? code : main_say_no_memory();
}
