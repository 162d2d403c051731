internal import HTTPTypes
internal import Requests

/// The fields of a form against the conditions of its policy.
enum PolicyConditions: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard let policy = attempt.policy, let parts = attempt.parts else { return [] }
    var findings: [UploadFinding] = []
    var covered = exempt(attempt)
    for condition in policy.conditions {
      switch condition {
      case .equal(let field, let value):
        covered.insert(field.lowercased())
        guard field.lowercased() != "bucket", value != attempt.field(field) else { continue }
        findings.append(unmet(field, attempt, lint, wanted: "\"\(value)\""))
      case .startsWith(let field, let prefix):
        covered.insert(field.lowercased())
        guard field.lowercased() != "bucket" else { continue }
        if let actual = attempt.field(field), actual.utf8.starts(with: prefix.utf8) { continue }
        findings.append(unmet(field, attempt, lint, wanted: "something that begins with \"\(prefix)\""))
      case .contentLength(let range):
        guard let file = fileSize(parts), !range.contains(file), TextForFile.findings(attempt, lint).isEmpty else {
          continue
        }
        findings.append(size(file, range, from: attempt.allocator(in: lint)))
      }
    }
    let extra = parts.map(\.name).filter {
      !covered.contains($0.lowercased()) && !$0.lowercased().hasPrefix("x-ignore-")
    }
    if let file = misnamedFile(parts) {
      findings.append(
        UploadFinding(
          "policy-condition", "the file is in the field \"\(file)\", and storage looks for it in \"file\"",
          advice: "call the field file, and put it last: \(attempt.form(in: lint))"))
    } else if !extra.isEmpty {
      findings.append(
        UploadFinding(
          "policy-condition", "the policy has no condition for \(extra.map { "\"\($0)\"" }.joined(separator: ", "))",
          evidence: ["every field but \(exempt(attempt).sorted().joined(separator: ", ")) and x-ignore-… needs one"],
          advice:
            "leave \(extra.count == 1 ? "it" : "them") out, or have \(extra.count == 1 ? "it" : "them") added to the policy: \(attempt.allocator(in: lint))"
        ))
    }
    return findings
  }

  /// Whether the size is not what the policy allows.
  static func refusesSize(of attempt: UploadAttempt) -> Bool {
    guard let policy = attempt.policy, let size = attempt.parts.flatMap(fileSize) else { return false }
    return policy.conditions.contains { condition in
      switch condition {
      case .contentLength(let range): !range.contains(size)
      case .equal, .startsWith: false
      }
    }
  }

  /// The fields that need no condition, in lowercase. Version 4 exempts fewer than version 2 of the signature.
  ///
  /// Sources: "POST Policy" of both versions, Amazon S3 API Reference; "Policy document", Cloud Storage.
  private static func exempt(_ attempt: UploadAttempt) -> Set<String> {
    let fields: Set<String> = ["file", "policy"]
    if attempt.field("x-amz-signature") != nil { return fields.union(["x-amz-signature"]) }
    if attempt.field("x-goog-signature") != nil { return fields.union(["x-goog-signature"]) }
    return fields.union(["signature", attempt.field("googleaccessid") == nil ? "awsaccesskeyid" : "googleaccessid"])
  }

  private static func unmet(
    _ field: String, _ attempt: UploadAttempt, _ lint: UploadLint, wanted: String
  ) -> UploadFinding {
    let actual = attempt.field(field)
    return UploadFinding(
      "policy-condition",
      actual == nil ? "the field \"\(field)\" is missing" : "the field \"\(field)\" is not what the policy requires",
      evidence: ["the policy requires \(wanted)" + (actual.map { ", sent: \"\($0)\"" } ?? "")],
      advice: "send the fields as they were given, all of them and unchanged: \(attempt.form(in: lint))")
  }

  private static func size(_ size: Int, _ range: ClosedRange<Int>, from allocator: String) -> UploadFinding {
    let wanted =
      range.lowerBound == range.upperBound
      ? "exactly \(range.lowerBound.grouped)" : "\(range.lowerBound.grouped) to \(range.upperBound.grouped)"
    return UploadFinding(
      "policy-condition", "the file has \(size.grouped) bytes, and the policy allows \(wanted)",
      evidence: ["content-length-range [\(range.lowerBound), \(range.upperBound)]"],
      // What was announced is exact; a range is the storage's own limit.
      advice: range.lowerBound == range.upperBound
        ? "announce the size of the file that is actually sent: go back to \(allocator)"
        : size > range.upperBound
          ? "send at most \(range.upperBound.grouped) bytes, or have the policy allow more: \(allocator)"
          : "send at least \(range.lowerBound.grouped) bytes, or have the policy allow fewer: \(allocator)")
  }

  /// The name of the field with the file, where none is called `file`.
  private static func misnamedFile(_ parts: [MultipartPart]) -> String? {
    guard !parts.contains(where: { $0.name.lowercased() == "file" }) else { return nil }
    return parts.last { part in
      if case .file = part.content { true } else { part.fileName != nil }
    }?.name
  }

  private static func fileSize(_ parts: [MultipartPart]) -> Int? {
    for part in parts where part.name.lowercased() == "file" {
      switch part.content {
      case .bytes(let bytes): return bytes.count
      case .file(let file): return file.count
      }
    }
    return nil
  }
}
