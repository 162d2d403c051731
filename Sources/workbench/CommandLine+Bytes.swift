internal import ArgumentParser
internal import Formats
internal import POSIX

extension CommandLine {
  /// What follows the program's name, with marks (`ShellBytes`) in the place of bytes that are not UTF-8.
  static var words: [String] {
    let words = Array(arguments.dropFirst())
    // What Swift has in their place.
    guard words.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) else { return words }
    return (1..<Int(argc)).compactMap { index in
      unsafeArgv[index].map {
        ShellBytes.text(of: UnsafeBufferPointer(start: $0, count: strlen($0)).map(UInt8.init(bitPattern:)))
      }
    }
  }

  /// Refuses such bytes where they are not (part of) a body: `send curl … --data-binary`, `send POST URL -d`.
  static func checkBytes(_ words: [String]) throws {
    guard let index = words.firstIndex(where: ShellBytes.isIn) else { return }
    let isSent = words.first == SendCommand._commandName
    let isData = words.indices.allSatisfy { index in
      !ShellBytes.isIn(words[index]) || index > 0 && ["-d", "--data"].contains(words[index - 1])
    }
    if isSent, isData || words.dropFirst().contains("curl") { return }
    throw ValidationError("Word \(index + 1) has bytes that are not UTF-8. A file can hold them: < file, -d @file.")
  }
}
