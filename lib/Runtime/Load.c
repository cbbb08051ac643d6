/*===- Load.c - Opening an artefact by its path -----------------------------------------===*
 *
 * In: the path of a shared library. Out: its model; weights that are not named lie beside it. Not
 * part of artefacts: this is for callers who do not link with them, in libptc_rt.a.
 *
 *===----------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "ptc/Runtime/ptc.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>

/* Names of artefacts' tables end so. */
static const char kSuffix[] = "_ptc_v1";

static const void *dynamic_entry(const struct link_map *map, int64_t tag) {
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == tag)
      return (const void *)entry->d_un.d_ptr;
  return NULL;
}

static bool ends_with(const char *name, const char *suffix) {
  size_t length = strlen(name), tail = strlen(suffix);
  return length > tail && strcmp(name + length - tail, suffix) == 0;
}

/* The table of the first exported function whose name ends as it should. DT_HASH holds the numbers
   of buckets and of symbols. */
static const ptc_api *find_api(void *library) {
  struct link_map *map;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0)
    return NULL;
  const ElfW(Sym) *symbols = dynamic_entry(map, DT_SYMTAB);
  const char *names = dynamic_entry(map, DT_STRTAB);
  const uint32_t *hash = dynamic_entry(map, DT_HASH);
  if (!symbols || !names || !hash)
    return NULL;
  for (uint32_t i = 0; i < hash[1]; ++i) {
    const char *name = names + symbols[i].st_name;
    if (symbols[i].st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbols[i].st_info) != STT_FUNC ||
        !ends_with(name, kSuffix))
      continue;
    const ptc_api *(*table)(void);
    *(void **)&table = dlsym(library, name);
    return table ? table() : NULL;
  }
  return NULL;
}

/* `path` up to `length`, behind `before` and in front of `behind`; null: there is no memory. */
static char *join(const char *before, const char *path, size_t length, const char *behind) {
  char *text = malloc(strlen(before) + length + strlen(behind) + 1);
  if (text) {
    strcpy(text, before);
    strncat(text, path, length);
    strcat(text, behind);
  }
  return text;
}

/* Weights that the options do not name lie beside the library, under its name. */
static ptc_status open_model(const ptc_api *api, const char *path, const ptc_options *options,
                             ptc_model **model) {
  ptc_status status = ptc_model_open(api, options, model);
  if (status != ptc_status_weights || (options && (options->weights_path || options->weights)))
    return status;
  const char *name = strrchr(path, '/'), *dot = strrchr(name ? name : path, '.');
  char *weights = join("", path, dot ? (size_t)(dot - path) : strlen(path), ".weights");
  if (!weights)
    return ptc_status_out_of_memory;
  ptc_options beside = {sizeof beside, options && options->swap_weights, weights, NULL, 0};
  status = ptc_model_open(api, &beside, model);
  free(weights);
  return status;
}

ptc_status ptc_model_load(const char *path, const ptc_options *options, ptc_model **model) {
  *model = NULL;
  /* A name without a folder is looked for where the system keeps libraries. */
  char *here = strchr(path, '/') ? NULL : join("./", path, strlen(path), "");
  void *library = dlopen(here ? here : path, RTLD_NOW | RTLD_LOCAL);
  free(here);
  if (!library)
    return ptc_status_invalid_argument;
  const ptc_api *api = find_api(library);
  ptc_status status = api ? open_model(api, path, options, model) : ptc_status_invalid_argument;
  if (status != ptc_status_ok)
    dlclose(library);
  return status;
}
