import Foundation
import POSIX

/// Ports for servers that cannot choose one themselves.
enum Port {
  /// That many different ports, which were free just now.
  static func free(_ count: Int) throws -> [Int] {
    let sockets = (0..<count).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
    defer { sockets.forEach { close($0) } }
    return try sockets.map { descriptor in
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
        }
      }
      guard isBound else { throw ServerFailure("no free port") }
      return Int(in_port_t(bigEndian: address.sin_port))
    }
  }

  /// Waits until something listens there.
  static func wait(for port: Int, log: URL) throws {
    for _ in 0..<500 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
      let isOpen = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      if isOpen { return }
      usleep(20_000)
    }
    throw ServerFailure("nothing listens on port \(port): \((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
  }
}
