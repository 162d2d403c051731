// The part of Foundation without localization, where it can be had alone: a program that needs no more is smaller.

#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
