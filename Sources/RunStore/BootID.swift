internal import POSIX

/// Identifies the current boot of the machine. Anything written since then without waiting for the disk is still there,
/// whatever happened to the process that wrote it.
enum BootID {
  /// nil if the system does not provide it.
  static let current: String? = {
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &buffer, buffer.count)
    guard count >= 36 else { return nil }
    return String(decoding: buffer[..<36], as: UTF8.self)
  }()
}
