internal import Crypto
internal import JSONValue
internal import Requests

/// The MD5 of a slice of a file, as used in ETags; it proves nothing.
enum MD5Digest {
  static func hex(of file: FileSlice) throws(FileError) -> String {
    var hash = Insecure.MD5()
    try file.forEachChunk { hash.update(data: $0) }
    return hash.finalize().hex
  }
}
