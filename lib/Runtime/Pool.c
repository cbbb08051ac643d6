/*===- Pool.c - The thread pool of a process ---------------------------------------===*
 *
 * In: a section that several threads run together. Out: it ran once on each. One pool serves all
 * artefacts of a process: its only object is a unique symbol (STB_GNU_UNIQUE), of which the dynamic
 * loader keeps one, whichever artefact was loaded first. A caller that finds it busy runs alone.
 *
 * A worker has a line of its own with the number of the section that it is to run next. It spins on
 * it for a while, then sleeps on it (futex). Whoever claims that number first decides: the worker,
 * which then takes part, or the caller, which waits for a worker no longer than is worth while and
 * then goes without it; a worker that comes later finds its number taken and waits for the next.
 * Where other programs keep the processors busy, that may be milliseconds later. Only workers that
 * take part are waited for at the end, so that the fields of the section have one writer at a time.
 *
 *===----------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Stub.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

/* About 200 us: longer than the gap between sections of one call, shorter than a time slice. */
#define SPINS 20000
/* Of a thread that waits for others that run: they may not have a processor. */
#define SPINS_BEFORE_YIELD 2000
/* For workers that spin: about 5 us, if they have a processor they answer in a tenth of it. */
#define SPINS_TO_ANSWER 500
/* For workers that sleep: about 50 us, twice what waking up takes where a processor is free. */
#define SPINS_TO_WAKE 5000
/* Shorter sections are over before a worker that sleeps could help. */
#define MICROSECONDS_WORTH_WAKING 30

typedef struct {
  _Alignas(64) atomic_uint told; /* number of the last section that it was to run */
  atomic_uint sleeps;
  uint32_t thread;                  /* its number in the section that it takes part in */
  _Alignas(64) atomic_uint claimed; /* the last section that it or the caller has claimed */
  atomic_uint begins;               /* the last that it takes part in and whose fields are set */
  atomic_uint done;                 /* the last that it has dealt with */
  _Alignas(64) atomic_uint arrived; /* by number in the section: barriers reached in it */
} ptc_worker;

typedef struct {
  _Alignas(64) atomic_uint busy;
  atomic_uint started; /* workers that exist; worker 0 is the caller */
  uint32_t num_threads;
  ptc_section section;
  void *arg;
  ptc_worker workers[PTC_MAX_THREADS];
} ptc_pool;

/* C has no word for unique objects. As a group of which a linker keeps one, it may stand in several
   archives that go into one program. */
__asm__(".section .bss.ptc_pool_v2,\"awG\",@nobits,ptc_pool_v2,comdat\n"
        ".globl ptc_pool_v2\n"
        ".type ptc_pool_v2,@gnu_unique_object\n"
        ".balign 64\n"
        "ptc_pool_v2: .zero 16384\n"
        ".size ptc_pool_v2, 16384\n"
        ".previous\n");
_Static_assert(sizeof(ptc_pool) <= 16384, "the pool has the size that all versions agree on");
extern __attribute__((visibility("default"))) ptc_pool ptc_pool_v2;

static inline void pause_processor(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  sched_yield();
#endif
}

static long futex(atomic_uint *word, int operation, unsigned value) {
  return syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
}

static void wait_until(atomic_uint *word, unsigned value) {
  for (unsigned spins = 0; (int)(atomic_load_explicit(word, memory_order_acquire) - value) < 0;
       ++spins) {
    if (spins < SPINS_BEFORE_YIELD)
      pause_processor();
    else
      sched_yield();
  }
}

/* Whether `number`, which follows the last one, was not claimed yet. */
static bool claim(ptc_worker *worker, unsigned number) {
  unsigned before = number - 1;
  return atomic_compare_exchange_strong(&worker->claimed, &before, number);
}

static void *work(void *argument) {
  ptc_pool *pool = &ptc_pool_v2;
  ptc_worker *self = &pool->workers[(uintptr_t)argument];
  unsigned last = 0;
  atomic_store(&self->sleeps, 0);
  for (;;) {
    unsigned spins = 0;
    while (atomic_load_explicit(&self->told, memory_order_acquire) == last) {
      if (++spins < SPINS) {
        pause_processor();
        continue;
      }
      atomic_store(&self->sleeps, 1);
      if (atomic_load(&self->told) == last)
        futex(&self->told, FUTEX_WAIT_PRIVATE, last);
      atomic_store(&self->sleeps, 0);
    }
    ++last;
    if (claim(self, last)) {
      wait_until(&self->begins, last);
      pool->section(pool->arg, self->thread, pool->num_threads);
    }
    atomic_store_explicit(&self->done, last, memory_order_release);
  }
  return NULL;
}

/* A child process has none of its parent's threads. */
static void forget_workers(void) {
  ptc_pool *pool = &ptc_pool_v2;
  for (uint32_t i = 0; i < PTC_MAX_THREADS; ++i) {
    atomic_store(&pool->workers[i].told, 0);
    atomic_store(&pool->workers[i].sleeps, 0);
    atomic_store(&pool->workers[i].claimed, 0);
    atomic_store(&pool->workers[i].begins, 0);
    atomic_store(&pool->workers[i].done, 0);
  }
  atomic_store(&pool->started, 0);
  atomic_store(&pool->busy, 0);
}

/* pthread_atfork is not in libc.so.6 itself. */
extern int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                             void *handle);

/* Those that this thread does not take. pthread_sigmask moved from library to library; this one has
   a version in all of them. */
static void set_signals(const sigset_t *blocked, sigset_t *before) {
  enum { KERNEL_BYTES = 8 };
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, blocked, before, KERNEL_BYTES);
}

/* Makes workers until there are `threads` with the caller; how many there are. Workers take no
   signals: those are for the threads of the program. */
static uint32_t start_workers(ptc_pool *pool, uint32_t threads) {
  uint32_t count = atomic_load(&pool->started);
  if (count == 0) {
    __register_atfork(NULL, NULL, forget_workers, NULL);
    count = 1;
  }
  sigset_t all, before;
  sigfillset(&all);
  set_signals(&all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  for (pthread_t handle; count < threads; ++count) {
    atomic_store(&pool->workers[count].sleeps, 1); /* until it runs */
    if (pthread_create(&handle, &attributes, work, (void *)(uintptr_t)count) != 0)
      break;
  }
  pthread_attr_destroy(&attributes);
  set_signals(&before, NULL);
  atomic_store(&pool->started, count);
  return count;
}

void ptc_pool_barrier(uint32_t thread, uint32_t num_threads) {
  if (num_threads == 1)
    return;
  ptc_worker *workers = ptc_pool_v2.workers;
  unsigned mine = atomic_load_explicit(&workers[thread].arrived, memory_order_relaxed) + 1;
  atomic_store_explicit(&workers[thread].arrived, mine, memory_order_release);
  for (uint32_t i = 0; i < num_threads; ++i)
    wait_until(&workers[i].arrived, mine);
}

/* False: it has not dealt with the last section yet, in which it did not take part. */
static bool tell(ptc_worker *worker) {
  unsigned last = atomic_load_explicit(&worker->told, memory_order_relaxed);
  if (atomic_load_explicit(&worker->done, memory_order_acquire) != last)
    return false;
  atomic_store(&worker->told, last + 1);
  if (atomic_load(&worker->sleeps))
    futex(&worker->told, FUTEX_WAKE_PRIVATE, 1);
  return true;
}

/* Tells workers of a section and waits for them. How many threads take part in it; `team`: which
   workers, from number 1 on. */
static uint32_t gather(ptc_pool *pool, uint32_t threads, uint32_t microseconds, uint8_t *team) {
  uint32_t told = 1, count = 1;
  for (uint32_t i = 1; i < threads; ++i)
    if (tell(&pool->workers[i]))
      team[told++] = (uint8_t)i;
  unsigned to_answer = SPINS_TO_ANSWER;
  unsigned to_wake = microseconds < MICROSECONDS_WORTH_WAKING ? 0 : SPINS_TO_WAKE;
  for (uint32_t i = 1; i < told; ++i) {
    ptc_worker *worker = &pool->workers[team[i]];
    unsigned number = atomic_load_explicit(&worker->told, memory_order_relaxed);
    while (atomic_load_explicit(&worker->claimed, memory_order_relaxed) != number) {
      unsigned *left = atomic_load(&worker->sleeps) ? &to_wake : &to_answer;
      if (!*left)
        break;
      --*left;
      pause_processor();
    }
    if (!claim(worker, number))
      team[count++] = team[i];
  }
  return count;
}

/* The fields of the section are set. */
static void begin(ptc_worker *worker, uint32_t thread) {
  worker->thread = thread;
  atomic_store_explicit(&worker->begins, atomic_load_explicit(&worker->told, memory_order_relaxed),
                        memory_order_release);
}

void ptc_pool_run(uint32_t threads, uint32_t microseconds, ptc_section section, void *arg) {
  ptc_pool *pool = &ptc_pool_v2;
  unsigned idle = 0;
  uint8_t team[PTC_MAX_THREADS];
  if (threads > PTC_MAX_THREADS)
    threads = PTC_MAX_THREADS;
  if (threads <= 1 || !atomic_compare_exchange_strong(&pool->busy, &idle, 1)) {
    section(arg, 0, 1);
    return;
  }
  if (atomic_load_explicit(&pool->started, memory_order_relaxed) < threads) {
    uint32_t there = start_workers(pool, threads);
    threads = there < threads ? there : threads;
  }
  threads = gather(pool, threads, microseconds, team);
  pool->section = section;
  pool->arg = arg;
  pool->num_threads = threads;
  for (uint32_t i = 0; i < threads; ++i)
    atomic_store_explicit(&pool->workers[i].arrived, 0, memory_order_relaxed);
  for (uint32_t i = 1; i < threads; ++i)
    begin(&pool->workers[team[i]], i);
  section(arg, 0, threads);
  for (uint32_t i = 1; i < threads; ++i)
    wait_until(&pool->workers[team[i]].done,
               atomic_load_explicit(&pool->workers[team[i]].told, memory_order_relaxed));
  atomic_store_explicit(&pool->busy, 0, memory_order_release);
}
