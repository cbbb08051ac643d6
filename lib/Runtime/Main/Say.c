/*===- Say.c - What a compiled program says ------------------------------------------===*
 *
 * In: rows of the compiler's diagnostics, how calls ended. Out: text on stderr in the form in which
 * the compiler prints it, and the exit code.
 *
 *===----------------------------------------------------------------------------===*/
#include "Main.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void write_stderr(ptc_text_buffer *text) {
  if (text->length)
    fwrite(text->data, 1, text->length, stderr);
  free(text->data);
}

static void put_number(ptc_text_buffer *out, const char *format, uint32_t number) {
  char text[32];
  ptc_put(out, text, (size_t)snprintf(text, sizeof text, format, (unsigned)number));
}

static void put_place(ptc_text_buffer *out, const char *file, uint32_t line) {
  if (!*file)
    return;
  ptc_put_string(out, file);
  if (line)
    put_number(out, ":%u", line);
  ptc_put_string(out, ": ");
}

/* The text of a row with its holes filled. */
static void put_filled(ptc_text_buffer *out, const char *text, const char *const *holes) {
  for (; *text; ++text) {
    if (text[0] == '{' && (text[1] == '0' || text[1] == '1') && text[2] == '}') {
      ptc_put_string(out, holes[text[1] - '0']);
      text += 2;
    } else {
      ptc_put(out, text, 1);
    }
  }
}

static void put_code(ptc_text_buffer *out, const ptc_main_diag *row) {
  put_number(out, " [PTC%u]\n", row->number);
}

static void put_hint(ptc_text_buffer *out, const char *hint) {
  if (!*hint)
    return;
  ptc_put_string(out, "hint: ");
  ptc_put_string(out, hint);
  ptc_put_string(out, "\n");
}

static int say_at(ptc_main_diag_id id, const ptc_error *at, const char *const *holes,
                  const char *hint) {
  const ptc_main_diag *row = &ptc_this_main.diags[id];
  ptc_text_buffer out = {NULL, 0, 0, false};
  if (at)
    put_place(&out, at->file, at->line);
  ptc_put_string(&out, "error: ");
  put_filled(&out, row->text, holes);
  put_code(&out, row);
  put_hint(&out, hint ? hint : row->hint);
  write_stderr(&out);
  return (int)row->exit_code;
}

int main_say(ptc_main_diag_id id, const char *first, const char *second, const char *hint) {
  const char *holes[] = {first, second};
  return say_at(id, NULL, holes, hint);
}

int main_say_usage(const char *format, const char *detail) {
  char text[512];
  snprintf(text, sizeof text, format, detail);
  return main_say(ptc_diag_UsageError, text, "", "--help lists the options");
}

int main_say_no_memory(void) {
  return main_say(ptc_diag_OutOfMemory, "what the program reads and prints", "", NULL);
}

/* The stub's text has notes and a hint behind its first line. */
static int say_miss(const ptc_error *error) {
  const ptc_main_diag *row = &ptc_this_main.diags[ptc_diag_NoVariantFits];
  const char *rest = strchr(error->text, '\n');
  ptc_text_buffer out = {NULL, 0, 0, false};
  ptc_put_string(&out, "error: ");
  ptc_put(&out, error->text, rest ? (size_t)(rest - error->text) : strlen(error->text));
  put_code(&out, row);
  ptc_put_string(&out, rest ? rest + 1 : "");
  write_stderr(&out);
  return (int)row->exit_code;
}

/* The stub's text has the class before it and the place behind it. */
static int say_raised(const ptc_error *error) {
  const char *text = error->text;
  size_t length = strlen(text), class_length = strlen(error->type);
  if (strncmp(text, error->type, class_length) == 0 && strncmp(text + class_length, ": ", 2) == 0) {
    text += class_length + 2;
    length -= class_length + 2;
  }
  ptc_text_buffer note = {NULL, 0, 0, false}, shown = {NULL, 0, 0, false};
  if (*error->file) {
    ptc_put_string(&note, "\nnote: at ");
    ptc_put_string(&note, error->file);
    put_number(&note, ":%u", error->line);
  }
  if (note.length && note.length <= length &&
      memcmp(text + length - note.length, note.data, note.length) == 0)
    length -= note.length;
  ptc_put(&shown, text, length);
  const char *holes[] = {error->type, shown.data ? shown.data : ""};
  int code = say_at(ptc_diag_ProgramRaised, error, holes, NULL);
  free(note.data);
  free(shown.data);
  return code;
}

bool main_is_of_device(ptc_status status) {
  return status == ptc_status_device || status == ptc_status_no_driver ||
         status == ptc_status_no_device || status == ptc_status_device_code;
}

int main_say_call(const ptc_context *context, ptc_status status) {
  const ptc_error *error = ptc_last_error(context);
  const char *text = *error->text ? error->text : ptc_api_of(context)->status_text(status);
  const char *holes[] = {text, ""}, *of_device[] = {ptc_api_of(context)->name, text};
  if (status == ptc_status_no_variant)
    return say_miss(error);
  if (status == ptc_status_raised)
    return say_raised(error);
  if (main_is_of_device(status))
    return say_at(ptc_diag_NoDevice, error, of_device, NULL);
  if (status == ptc_status_out_of_memory) {
    const char *needed[] = {"the tensors of this call", ""};
    return say_at(ptc_diag_OutOfMemory, error, needed, NULL);
  }
  return say_at(status == ptc_status_int_overflow ? ptc_diag_IntOverflow : ptc_diag_InternalError,
                error, holes, NULL);
}

bool main_print(ptc_text_buffer *text) {
  bool whole = !text->failed;
  if (text->length && whole)
    fwrite(text->data, 1, text->length, stdout);
  free(text->data);
  text->data = NULL;
  return whole;
}

int main_flush(void) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return 0;
  return main_say(ptc_diag_OutputNotWritten, "<stdout>", ptc_system_text(errno), NULL);
}
