/*===- Show.c - Results of calls as Python shows them --------------------------------===*
 *
 * In: nodes that the compiler made of a result's structure, leaves of a call. Out: repr() of the
 * result; its tensors. An object that holds itself is `...` within its own text.
 *
 *===----------------------------------------------------------------------------===*/
#include "Main.h"

#include <stdio.h>
#include <stdlib.h>

/* The text of an object, once it is known. */
typedef struct {
  char *text;
  size_t length;
  bool building, known;
} object;

typedef struct {
  const ptc_value *leaves;
  object *objects; /* by identity */
  bool collecting; /* tensors instead of their texts */
  const DLTensor **tensors;
  size_t room, num_tensors;
} shower;

static void put_node(ptc_text_buffer *out, shower *s, const ptc_shown *node);

static void put_children(ptc_text_buffer *out, shower *s, const ptc_shown *node) {
  for (uint32_t i = 0; i < node->count; ++i)
    put_node(out, s, &ptc_this_main.shown[node->first + i]);
}

static const char *text_of(const ptc_shown *node) { return ptc_this_main.texts + node->text; }

static void put_tensor(ptc_text_buffer *out, shower *s, const ptc_shown *node,
                       const ptc_value *tensor) {
  if (!s->collecting) {
    ptc_put_tensor(out, tensor, text_of(node), node->length);
    return;
  }
  if (s->num_tensors < s->room)
    s->tensors[s->num_tensors] = tensor->as.tensor;
  ++s->num_tensors;
}

static void put_value(ptc_text_buffer *out, shower *s, const ptc_shown *node,
                      const ptc_value *value) {
  if (value->tag == ptc_tag_Tensor) {
    put_tensor(out, s, node, value);
  } else if (value->tag == ptc_tag_List) {
    ptc_put_string(out, "[");
    for (size_t i = 0; i < value->as.list.length; ++i) {
      ptc_put_string(out, i ? ", " : "");
      put_value(out, s, node, &value->as.list.items[i]);
    }
    ptc_put_string(out, "]");
  } else {
    ptc_text_part part = {"", 0, 0, 'r', -1, 0, NULL};
    ptc_put_parts(out, &part, 1, value);
  }
}

static void put_format(ptc_text_buffer *out, shower *s, const ptc_shown *node) {
  ptc_text_part part = {text_of(node), node->length, node->leaf, 'f', -1, 0, NULL};
  ptc_put_parts(out, &part, 1, s->leaves);
}

/* repr(str); other than ASCII passes, as printable text does. */
static void put_quoted(ptc_text_buffer *out, const char *text, size_t length) {
  bool doubles = memchr(text, '\'', length) && !memchr(text, '"', length);
  char quote = doubles ? '"' : '\'';
  ptc_put(out, &quote, 1);
  for (size_t i = 0; i < length; ++i) {
    unsigned char c = (unsigned char)text[i];
    char code[8] = {'\\', (char)c};
    size_t n = 2;
    if (c == '\n' || c == '\r' || c == '\t')
      code[1] = c == '\n' ? 'n' : c == '\r' ? 'r' : 't';
    else if (c < 32 || c == 127)
      n = (size_t)snprintf(code, sizeof code, "\\x%02x", c);
    else if (c != (unsigned char)quote && c != '\\')
      n = (size_t)snprintf(code, sizeof code, "%c", c);
    ptc_put(out, code, n);
  }
  ptc_put(out, &quote, 1);
}

static void put_text_of_children(ptc_text_buffer *out, shower *s, const ptc_shown *node) {
  ptc_text_buffer text = {NULL, 0, 0, false};
  ptc_put_string(&text, ""); /* so that there is one */
  put_children(&text, s, node);
  if (!text.failed)
    put_quoted(out, text.data, text.length);
  out->failed |= text.failed;
  free(text.data);
}

static void put_choice(ptc_text_buffer *out, shower *s, const ptc_shown *node) {
  int64_t which = s->leaves[node->leaf].as.integer;
  if (which >= 0 && which < (int64_t)node->count)
    put_node(out, s, &ptc_this_main.shown[node->first + (uint32_t)which]);
}

static void make(ptc_text_buffer *out, shower *s, const ptc_shown *node) {
  switch ((ptc_shown_kind)node->kind) {
  case ptc_shown_Text:
    ptc_put(out, text_of(node), node->length);
    return;
  case ptc_shown_Leaf:
    put_value(out, s, node, &s->leaves[node->leaf]);
    return;
  case ptc_shown_Format:
    put_format(out, s, node);
    return;
  case ptc_shown_All:
    put_children(out, s, node);
    return;
  case ptc_shown_Quoted:
    put_text_of_children(out, s, node);
    return;
  case ptc_shown_Choice:
    put_choice(out, s, node);
    return;
  case ptc_shown_Same:
    put_node(out, s, &ptc_this_main.shown[node->first]);
    return;
  }
}

static void put_node(ptc_text_buffer *out, shower *s, const ptc_shown *node) {
  object *known = &s->objects[node->identity];
  if (!node->identity || node->kind == ptc_shown_Same) {
    make(out, s, node);
  } else if (known->building) {
    ptc_put_string(out, "...");
  } else if (known->known) {
    ptc_put(out, known->text ? known->text : "", known->length);
  } else {
    size_t begin = out->length;
    known->building = true;
    make(out, s, node);
    known->building = false;
    if (out->failed)
      return;
    known->known = true;
    known->length = out->length - begin;
    known->text = malloc(known->length + 1);
    if (known->text && known->length)
      memcpy(known->text, out->data + begin, known->length);
    out->failed |= !known->text;
  }
}

static bool show(ptc_text_buffer *out, shower *s, uint32_t root) {
  size_t n = ptc_this_main.num_identities + 1;
  s->objects = calloc(n, sizeof *s->objects);
  if (!s->objects)
    return false;
  put_node(out, s, &ptc_this_main.shown[root]);
  for (size_t i = 0; i < n; ++i)
    free(s->objects[i].text);
  free(s->objects);
  return !out->failed;
}

bool main_show(ptc_text_buffer *out, const ptc_value *leaves, uint32_t root) {
  shower s = {leaves, NULL, false, NULL, 0, 0};
  return show(out, &s, root);
}

bool main_shown_tensors(const ptc_value *leaves, uint32_t root, const DLTensor **out, size_t *n) {
  ptc_text_buffer unused = {NULL, 0, 0, false};
  shower s = {leaves, NULL, true, out, *n, 0};
  bool whole = show(&unused, &s, root);
  free(unused.data);
  *n = s.num_tensors;
  return whole;
}
