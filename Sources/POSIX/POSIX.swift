// What the operating system offers, whatever its C library is called.

#if canImport(Glibc)
  @_exported public import Glibc
#else
  @_exported public import Darwin
#endif
