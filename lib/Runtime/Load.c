/*===- Load.c - Opening an artefact by its path -----------------------------------------===*
 *
 * In: the path of a shared library. Out: its model; weights that are not named lie beside it. Not
 * part of artefacts: this is for callers who do not link with them, in libptc_rt.a. The Python
 * loader checks and names libraries in the same way.
 *
 *===----------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Stub.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names of artefacts' tables end so. */
static const char kSuffix[] = "_ptc_v1";

/* Why the last one was not loaded: a path and what the system says of it. */
static _Thread_local char last_error[4096 + 1024];

const char *ptc_load_error(void) { return last_error; }

/* One that is being loaded. `text` is last_error. */
typedef struct {
  const char *path;
  ptc_options options;
  struct stat file;
} loading;

#define REFUSE(what, status, ...) PTC_SAY(&(what)->options, status, __VA_ARGS__)

static ptc_status refuse_file(const loading *what, const char *why) {
  return REFUSE(what, ptc_status_file, "%s: %s", what->path, why);
}

static ptc_status no_memory(const loading *what) {
  return REFUSE(what, ptc_status_out_of_memory, "out of memory");
}

/*===----------------------------------------------------------------------------===*
 * Files
 *===----------------------------------------------------------------------------===*/

static bool read_at(int file, uint64_t offset, void *to, size_t bytes) {
  return offset <= INT64_MAX && pread(file, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

static bool is_within(uint64_t offset, uint64_t bytes, uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

/* Null: the file is a library for here and has all that its tables name. What lies behind the end
   of a file that was cut would end the process, when it is looked at. */
static const char *wrong_of_file(int file, uint64_t size) {
  Elf64_Ehdr header;
  static const unsigned char ident[] = {ELFMAG0,    ELFMAG1,     ELFMAG2, ELFMAG3,
                                        ELFCLASS64, ELFDATA2LSB, 1};
  if (!read_at(file, 0, &header, sizeof header) ||
      memcmp(header.e_ident, ident, sizeof ident) != 0 || header.e_machine != EM_X86_64 ||
      header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr))
    return "it is no library for x86-64, or a part of one";
  bool is_whole = is_within(header.e_phoff, (uint64_t)header.e_phnum * sizeof(Elf64_Phdr), size) &&
                  is_within(header.e_shoff, (uint64_t)header.e_shnum * header.e_shentsize, size);
  for (uint32_t i = 0; is_whole && i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    is_whole = read_at(file, header.e_phoff + i * sizeof segment, &segment, sizeof segment) &&
               is_within(segment.p_offset, segment.p_filesz, size);
  }
  return is_whole ? NULL : "it is a part of a library: the file was cut short";
}

static ptc_status check_file(loading *what) {
  /* A pipe would keep us waiting for its other end. */
  int file = open(what->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0 || fstat(file, &what->file) != 0) {
    int error = errno;
    if (file >= 0)
      close(file);
    return refuse_file(what, ptc_system_text(error));
  }
  const char *wrong = S_ISREG(what->file.st_mode)
                          ? wrong_of_file(file, (uint64_t)what->file.st_size)
                          : "it is no file of bytes";
  close(file);
  return wrong ? refuse_file(what, wrong) : ptc_status_ok;
}

/*===----------------------------------------------------------------------------===*
 * Names
 *===----------------------------------------------------------------------------===*/

/* Libraries that stay loaded, which keeps the numbers of their files, as these were then. */
typedef struct known_file {
  struct known_file *next;
  dev_t device;
  ino_t inode;
  off_t size;
  struct timespec changed;
} known_file;
static known_file *known;
static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER;

/* As that file was when it was loaded; null: it was not. Under the lock. */
static const known_file *find_known(const loading *what) {
  const known_file *one = known;
  while (one && (one->device != what->file.st_dev || one->inode != what->file.st_ino))
    one = one->next;
  return one;
}

/* The system finds a library that is loaded by its file, and the pages of one whose file was
   written over are a mixture of both. */
static ptc_status check_known(const loading *what) {
  const struct stat *now = &what->file;
  pthread_mutex_lock(&known_lock);
  const known_file *one = find_known(what);
  bool same = !one || (one->size == now->st_size && one->changed.tv_sec == now->st_mtim.tv_sec &&
                       one->changed.tv_nsec == now->st_mtim.tv_nsec);
  pthread_mutex_unlock(&known_lock);
  return same ? ptc_status_ok
              : refuse_file(what, "it was written over after it was loaded; put a new file in its "
                                  "place, as `ptc compile` and mv do");
}

static ptc_status remember(const loading *what) {
  known_file made = {NULL, what->file.st_dev, what->file.st_ino, what->file.st_size,
                     what->file.st_mtim};
  known_file *one = malloc(sizeof *one);
  if (!one)
    return no_memory(what);
  pthread_mutex_lock(&known_lock);
  bool is_new = !find_known(what);
  if (is_new) {
    made.next = known;
    *one = made;
    known = one;
  }
  pthread_mutex_unlock(&known_lock);
  if (!is_new)
    free(one);
  return ptc_status_ok;
}

/* FNV-1a. */
static uint64_t mix(uint64_t hash, uint64_t number) {
  for (int i = 0; i < 8; ++i, number >>= 8)
    hash = (hash ^ (number & 255)) * UINT64_C(0x100000001b3);
  return hash;
}

/* The system finds a library that is loaded by its name, too, also where another file has taken the
   place. So each file has a name of its own: that of its folder, then `/` and `/.` in an order that
   says which file it is and leads nowhere else, then its name there. Null: there is no memory. */
static char *name_of(const loading *what) {
  enum { BITS = 64 };
  uint64_t number = mix(UINT64_C(0xcbf29ce484222325), (uint64_t)what->file.st_dev);
  number = mix(number, (uint64_t)what->file.st_ino);
  number = mix(number, (uint64_t)what->file.st_size);
  number = mix(number, (uint64_t)what->file.st_mtim.tv_sec);
  number = mix(number, (uint64_t)what->file.st_mtim.tv_nsec);
  const char *slash = strrchr(what->path, '/'), *base = slash ? slash + 1 : what->path;
  size_t folder = slash ? (size_t)(slash - what->path) : 1, length = strlen(base);
  char *name = malloc(folder + 2 * BITS + 1 + length + 1), *at = name;
  if (!name)
    return NULL;
  memcpy(at, slash ? what->path : ".", folder);
  at += folder;
  for (int i = 0; i < BITS; ++i, number >>= 1) {
    *at++ = '/';
    if (number & 1)
      *at++ = '.';
  }
  *at++ = '/';
  memcpy(at, base, length + 1);
  return name;
}

/* dlerror() in English: it translates when it is asked. */
static const char *error_of_linker(void) {
  locale_t before = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
  const char *why = dlerror();
  uselocale(before);
  return why;
}

static ptc_status load(loading *what, void **library) {
  ptc_status status = check_file(what);
  if (status == ptc_status_ok)
    status = check_known(what);
  char *name = status == ptc_status_ok ? name_of(what) : NULL;
  if (!name)
    return status == ptc_status_ok ? no_memory(what) : status;
  *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  const char *why = *library ? NULL : error_of_linker();
  if (why && strncmp(why, name, strlen(name)) == 0)
    why += strlen(name) + strspn(why + strlen(name), ": ");
  status = why ? refuse_file(what, why) : ptc_status_ok;
  free(name);
  return status;
}

/*===----------------------------------------------------------------------------===*
 * Tables
 *===----------------------------------------------------------------------------===*/

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

/* Under the library's name, with another suffix; null: there is no memory. */
static char *weights_beside(const char *path) {
  static const char suffix[] = ".weights";
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  size_t length = dot ? (size_t)(dot - path) : strlen(path);
  char *text = malloc(length + sizeof suffix);
  if (text) {
    memcpy(text, path, length);
    memcpy(text + length, suffix, sizeof suffix);
  }
  return text;
}

/* Weights that the options do not name lie beside the library. */
static ptc_status open_model(loading *what, const ptc_api *api, ptc_model **model) {
  ptc_options *options = &what->options;
  ptc_status status = ptc_model_open(api, options, model);
  bool says = last_error[0];
  if (status == ptc_status_weights && !options->weights_path && !options->weights) {
    char *beside = weights_beside(what->path);
    if (!beside)
      return no_memory(what);
    options->weights_path = beside;
    status = ptc_model_open(api, options, model);
    options->weights_path = NULL;
    if (status == ptc_status_invalid_argument) /* it has weights of its own: these are wrong */
      status = ptc_model_open(api, options, model);
    says = last_error[0];
    free(beside);
  }
  if (status != ptc_status_ok && !says)
    return REFUSE(what, status, "%s: %s", what->path, ptc_status_text(status));
  return status;
}

static ptc_status load_model(loading *what, ptc_model **model) {
  void *library;
  ptc_status status = load(what, &library);
  if (status != ptc_status_ok)
    return status;
  const ptc_api *api = find_api(library);
  status = api ? open_model(what, api, model) : refuse_file(what, "it is no artefact of ptc");
  if (status == ptc_status_ok)
    status = remember(what);
  if (status == ptc_status_ok)
    return status; /* it stays */
  ptc_model_close(*model);
  *model = NULL;
  dlclose(library);
  return status;
}

ptc_status ptc_model_load(const char *path, const ptc_options *options, ptc_model **model) {
  loading what;
  memset(&what, 0, sizeof what);
  what.path = path;
  const char *wrong = ptc_read_options(options, &what.options);
  char *text = what.options.text;
  uint64_t bytes = what.options.text_bytes;
  what.options.text = last_error;
  what.options.text_bytes = sizeof last_error;
  last_error[0] = 0;
  if (!ptc_is_object(model))
    wrong = "there is no place for the model";
  else
    *model = NULL;
  if (!path)
    wrong = "there is no path";
  ptc_status status =
      wrong ? REFUSE(&what, ptc_status_invalid_argument, "%s", wrong) : load_model(&what, model);
  if (text && bytes)
    snprintf(text, bytes < sizeof last_error ? (size_t)bytes : sizeof last_error, "%s", last_error);
  return status;
}
