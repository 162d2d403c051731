// Tells the thread sanitizer what Swift's runtime does out of its sight: without this, what a contended `Mutex` guards
// and what a continuation was resumed with are reported as races. Linked into every program by Scripts/sanitize.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
// The runtime's own function of that name, hidden by ours.
#define ORIGINAL(name)                                               \
  ({                                                                 \
    static void *original;                                           \
    void *known = __atomic_load_n(&original, __ATOMIC_RELAXED);      \
    if (!known) {                                                    \
      known = dlsym(RTLD_NEXT, name);                                \
      __atomic_store_n(&original, known, __ATOMIC_RELAXED);          \
    }                                                                \
    known;                                                           \
  })

void __tsan_acquire(void *);
void __tsan_release(void *);

// Taking a free `Mutex` is compiled into the program and seen. When a thread has to wait, the lock changes hands in
// libswiftSynchronization, which is built without the sanitizer: _MutexHandle._lockSlow(_:) and _unlockSlow().
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void unlock_slowly(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) {
  SWIFT void (*original)(uint32_t, SELF void *) = ORIGINAL(LOCK);
  original(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT void unlock_slowly(SELF void *mutex) {
  SWIFT void (*original)(SELF void *) = ORIGINAL(UNLOCK);
  __tsan_release(mutex);
  original(mutex);
}

// Whoever resumes a continuation releases the task, and the task acquires that when it is run again; but not in
// swift_continuation_await when it was resumed before it waited. The first thing that a caller does with what an
// asynchronous function returned is to free that function's context.
SWIFT void *swift_task_getCurrent(void);

SWIFT void swift_task_dealloc(void *context) {
  SWIFT void (*original)(void *) = ORIGINAL("swift_task_dealloc");
  void *task = swift_task_getCurrent();
  if (task) __tsan_acquire(task);
  original(context);
}
