internal import HTTPTypes
internal import Requests

/// The file is not what it was when its size was announced.
enum FileChanged: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    var seen: Set<String> = []
    return attempt.files.compactMap { file in
      guard seen.insert(file.path).inserted else { return nil }
      let evidence: String
      switch lint.identify(file.path) {
      case nil: evidence = "it is no longer there"
      case file.identity?: return nil
      case let now? where now.size != file.identity.size:
        evidence = "\(file.identity.size.grouped) bytes then, \(now.size.grouped) now"
      case let now? where now.inode != file.identity.inode: evidence = "another file has its name now"
      case _?: evidence = "the same size, but written to since"
      }
      return UploadFinding(
        "file-changed", "\"\(file.name)\" changed since its size was announced", evidence: [evidence],
        advice: "once it no longer changes, go back to the step that announced it")
    }
  }
}
