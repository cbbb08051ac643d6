/*===- Main.h - What a compiled program knows beside its artefact ----------*- C -*-===*
 *
 * `ptc compile --emit=exe` writes one constant `ptc_main_table` into the program: the call that it
 * makes unless it is told otherwise, how results are shown, and the rows of diagnostics. Rows have
 * no padding; their bytes are written as they are.
 *
 *===----------------------------------------------------------------------------===*/
#ifndef PTC_RUNTIME_MAIN_H
#define PTC_RUNTIME_MAIN_H

#include "ptc/Runtime/ptc.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a node of a shown result is. */
typedef enum ptc_shown_kind {
  ptc_shown_Text,   /**< its text */
  ptc_shown_Leaf,   /**< repr() of a leaf of the result; of a tensor with its text as a suffix */
  ptc_shown_Format, /**< format() of a number, with its text as the spec: `[.N]` and a letter */
  ptc_shown_All,    /**< its children, one after the other */
  ptc_shown_Quoted, /**< repr() of the text that its children make */
  ptc_shown_Choice, /**< the child that the number `leaf` says */
  ptc_shown_Same    /**< the object that node `first` describes, `...` within that */
} ptc_shown_kind;

/** A node; its children are `count` nodes from number `first` on. */
typedef struct ptc_shown {
  uint32_t kind;
  int32_t leaf;
  uint32_t identity; /**< of an object that other nodes name, from 1; 0: none */
  uint32_t first, count;
  uint32_t text, length; /**< in `texts` of the table */
} ptc_shown;

/** A row of the compiler's diagnostics; `{0}` and the like are holes of its text. */
typedef struct ptc_main_diag {
  const char *text;
  const char *hint; /**< "": none */
  uint32_t number, exit_code;
} ptc_main_diag;

/** The rows that `diags` has, in their order. */
typedef enum ptc_main_diag_id {
#define PTC_MAIN_DIAG(Name) ptc_diag_##Name,
#include "ptc/Runtime/MainDiags.def"
  ptc_num_main_diags
} ptc_main_diag_id;

typedef struct ptc_main_table {
  const char *entry; /**< its name in the program */
  const ptc_main_diag *diags;
  const char *texts;
  const ptc_shown *shown;
  const uint32_t *roots;          /**< nodes: of each outcome of each variant */
  const uint32_t *variant_begins; /**< where in `roots` a variant's begin */
  ptc_value *inputs;              /**< the example's leaves; its tensors can be written */
  const char *const *paths;       /**< of the leaves: `x`, `pair[0]` */
  uint32_t num_inputs, structure;
  uint32_t num_outputs; /**< most leaves of a result */
  uint32_t num_variants, num_identities;
  uint32_t has_seed; /**< 1: the example seeds the default generator before the call */
  int64_t seed;
} ptc_main_table;

/** Defined by the object that the compiler makes for a program; hidden. */
extern const ptc_main_table ptc_this_main;

/** `main` of compiled programs. Gives the exit code, as the README lists them. */
int ptc_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif /* PTC_RUNTIME_MAIN_H */
