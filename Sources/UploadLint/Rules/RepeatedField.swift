internal import HTTPTypes
internal import Requests

/// A field of a form that is there twice: storage refuses it, or takes one of the two values.
enum RepeatedField: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard attempt.isForStorage, let parts = attempt.parts else { return [] }
    var counts: [String: Int] = [:]
    var repeated: [String] = []
    for part in parts {
      let name = part.name.lowercased()
      counts[name, default: 0] += 1
      if counts[name] == 2 { repeated.append(part.name) }
    }
    guard !repeated.isEmpty else { return [] }
    let names = repeated.prefix(8).map { "\"\($0)\"" }.joined(separator: ", ")
    return [
      UploadFinding(
        "repeated-field", "the form has \(names) more than once",
        evidence: repeated.prefix(8).map {
          "\(counts[$0.lowercased(), default: 0]) times, ignoring case: \"\($0)\""
        },
        advice: repeated.contains { $0.lowercased() == "file" }
          ? "one file in each form: send each in a request of its own"
          : "each field once: ...fields | without(\"\(repeated[0])\") leaves it out of a spread, to write it yourself")
    ]
  }
}
