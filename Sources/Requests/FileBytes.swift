internal import SystemPackage

/// The bytes of open files. swift-system retries after a signal, and writes until everything is written.
package enum FileBytes {
  package static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) throws(SystemError) {
    do {
      try FileDescriptor(rawValue: descriptor).writeAll(bytes)
    } catch {
      throw SystemError(error)
    }
  }

  /// - Parameter offset: where to read; nil: where the last read ended.
  /// - Returns: how many bytes were read; 0 at the end.
  package static func read(
    _ descriptor: Int32, at offset: Int? = nil, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    let file = FileDescriptor(rawValue: descriptor)
    do {
      guard let offset else { return try file.read(into: buffer) }
      return try file.read(fromAbsoluteOffset: Int64(offset), into: buffer)
    } catch {
      throw SystemError(error)
    }
  }

  /// Reads to the end, in pieces of at most 64 KiB.
  package static func forEachChunk<Failure: Error>(
    of descriptor: Int32, failure: (SystemError) -> Failure, _ body: (ArraySlice<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let read = chunk.withUnsafeMutableBytes { buffer in
        Result { () throws(SystemError) in try Self.read(descriptor, into: buffer) }
      }
      let count = try read.mapError(failure).get()
      if count == 0 { return }
      try body(chunk[..<count])
    }
  }
}

extension SystemError {
  fileprivate init(_ error: any Error) {
    self.init(number: (error as? Errno)?.rawValue ?? 0)
  }
}
