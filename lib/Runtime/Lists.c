/*===- Lists.c - Results as long as a call made them ----------------------------------===*
 *
 * In: the length of a list, then its elements. Out: a leaf of the result that holds them; what an
 * earlier call needed for the same leaf is used again.
 *
 *===----------------------------------------------------------------------------===*/
#include "Stub.h"

#include <stdlib.h>
#include <string.h>

ptc_status ptc_give_list(ptc_frame *frame, uint32_t leaf, int64_t length) {
  ptc_leaf *own = ptc_free_of_arguments(frame, &frame->context->leaves[leaf]);
  if (!own)
    return ptc_no_memory(frame);
  size_t wanted = (size_t)length;
  if (wanted > own->num_elements) {
    ptc_leaf *elements = realloc(own->elements, wanted * sizeof *elements);
    if (elements) {
      memset(elements + own->num_elements, 0, (wanted - own->num_elements) * sizeof *elements);
      own->elements = elements;
    }
    ptc_value *items = elements ? realloc(own->items, wanted * sizeof *items) : NULL;
    if (!items)
      return ptc_no_memory(frame);
    own->items = items;
    own->num_elements = wanted;
  }
  ptc_value value = ptc_of_tag(ptc_tag_List);
  value.as.list.items = own->items;
  value.as.list.length = wanted;
  frame->outputs[leaf] = value;
  return ptc_status_ok;
}

ptc_status ptc_give_element(ptc_frame *frame, uint32_t leaf, int64_t number, const ptc_value *value,
                            const ptc_shape *shape) {
  ptc_leaf *own = &frame->context->leaves[leaf];
  while (own->items != frame->outputs[leaf].as.list.items)
    own = own->next;
  ptc_value *item = &own->items[number];
  if (!shape) {
    *item = *value;
    return ptc_status_ok;
  }
  ptc_leaf *element = &own->elements[number];
  if (value->tag == ptc_tag_Tensor) {
    ptc_describe_leaf(element, value->as.tensor, shape);
    *item = ptc_of_tensor(&element->tensor);
    return ptc_status_ok;
  }
  void *data = ptc_fresh(frame->context, &element->block, shape->bytes);
  if (!data)
    return ptc_no_memory(frame);
  ptc_copy(frame->context, data, value->as.tensor, shape->bytes);
  ptc_describe_leaf(element, data, shape);
  *item = ptc_of_tensor(&element->tensor);
  return ptc_status_ok;
}

static void free_memory(ptc_context *context, ptc_leaf *leaf) {
  for (size_t i = 0; i < leaf->num_elements && leaf->elements; ++i) {
    ptc_release(context, leaf->elements[i].block.data);
    free(leaf->elements[i].host.data);
  }
  free(leaf->elements);
  free(leaf->items);
  ptc_release(context, leaf->block.data);
  free(leaf->host.data);
}

void ptc_free_leaf(ptc_context *context, ptc_leaf *leaf) {
  for (ptc_leaf *more = leaf->next; more;) {
    ptc_leaf *next = more->next;
    free_memory(context, more);
    free(more);
    more = next;
  }
  free_memory(context, leaf);
}
