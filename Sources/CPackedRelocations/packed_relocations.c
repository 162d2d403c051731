#include "packed_relocations.h"

#ifdef __linux__

#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// 116,000 places of the program contain an address in it, most of them in tables of Swift's types. The system's loader
// reads 24 bytes for each and takes a page fault for each page. The packed form is a bit for each, but loaders know it
// only since version 2.36 of the C library, which is later than some systems that a release is for: so it is applied
// here, from sections with the tags that the linker has for Android's loader, which others leave alone.
//
// The form: https://maskray.me/blog/2021-10-31-relative-relocations-and-relr. An even entry is the address of a place.
// An odd one has a bit for each of the 63 places after the last.

enum { tag_table = 0x6fffe000, tag_size = 0x6fffe001, pages = 16 };

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));
extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

void apply_packed_relocations(void) {
  // Nothing here may use an address that has not been given its place yet: a table of a switch, a static pointer.
  const uintptr_t base = (uintptr_t)&__ehdr_start;
  const uintptr_t *table = 0;
  uintptr_t size = 0;
  for (const ElfW(Dyn) *entry = _DYNAMIC; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == tag_table) table = (const uintptr_t *)(base + entry->d_un.d_ptr);
    if (entry->d_tag == tag_size) size = entry->d_un.d_val;
  }
  if (!table || !size) return;

  // The loader has made this part read-only already.
  uintptr_t sealed = 0, sealed_end = 0;
  const ElfW(Phdr) *header = (const ElfW(Phdr) *)(base + __ehdr_start.e_phoff);
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int index = 0; index < __ehdr_start.e_phnum; index++, header++) {
    if (header->p_type == PT_GNU_RELRO) {
      sealed = (base + header->p_vaddr) & ~(page - 1);
      sealed_end = (base + header->p_vaddr + header->p_memsz) & ~(page - 1);
    }
  }
  if (sealed) mprotect((void *)sealed, sealed_end - sealed, PROT_READ | PROT_WRITE);

  uintptr_t *place = 0;
  uintptr_t ready = 0;
  for (const uintptr_t *entry = table; entry < table + size / sizeof *table; entry++) {
    if (!(*entry & 1)) place = (uintptr_t *)(base + *entry);
    // Several pages at once take less than a fault for each. Without it (Linux 5.14) there are faults.
    if ((uintptr_t)place + 64 * sizeof *place > ready) {
      const uintptr_t start = (uintptr_t)place & ~(page - 1);
      madvise((void *)start, pages * page, MADV_POPULATE_WRITE);
      ready = start + pages * page;
    }
    if (*entry & 1) {
      for (uintptr_t bits = *entry >> 1; bits; bits &= bits - 1) place[__builtin_ctzl(bits)] += base;
      place += 8 * sizeof *entry - 1;
    } else {
      *place++ += base;
    }
  }
  if (sealed) mprotect((void *)sealed, sealed_end - sealed, PROT_READ);
}

#endif
