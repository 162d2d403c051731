public import Glibc

extension posix_spawn_file_actions_t {
  /// The program gets its three streams and nothing else: a socket of another test that it kept open would not close
  /// when its server is gone.
  public mutating func closeOthers() {
    // `posix_spawn_file_actions_addclosefrom_np` of <spawn.h>, which is not imported.
    typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    guard let address = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
    // SAFETY: that is how it is declared.
    _ = unsafeBitCast(address, to: CloseFrom.self)(&self, 3)
  }
}
