import Essentials
import JSONValue

/// A POST policy: until when, and under which conditions on its form, an upload is allowed.
///
/// Source: "POST Policy", Amazon S3 API Reference.
struct PostPolicy: Hashable, Sendable {
  enum Condition: Hashable, Sendable {
    case equal(field: String, value: String)
    case startsWith(field: String, prefix: String)
    /// The file's size in bytes.
    case contentLength(ClosedRange<Int>)
  }

  var expiration: Date
  var conditions: [Condition]

  /// Fields that need no condition: they are the policy's own, or say that they are to be ignored.
  private static func needsNoCondition(_ field: String) -> Bool {
    ["policy", "x-amz-signature", "file"].contains(field) || field.hasPrefix("x-ignore-")
  }

  /// Checks a form against the policy.
  ///
  /// Field names are case-insensitive, values are compared byte for byte. `bucket` is the one the form was sent to.
  func check(_ form: PostForm, bucket: String, now: Date) throws(S3Error) {
    guard now < expiration else { throw .policyExpired }
    var covered: Set<String> = []
    for condition in conditions {
      let holds: Bool
      switch condition {
      case .equal(let field, let value):
        covered.insert(field.lowercased())
        holds = self.value(of: field, in: form, bucket: bucket).map { Array($0.utf8) == Array(value.utf8) } ?? false
      case .startsWith(let field, let prefix):
        covered.insert(field.lowercased())
        holds = self.value(of: field, in: form, bucket: bucket)?.utf8.starts(with: prefix.utf8) ?? false
      case .contentLength:
        holds = true
      }
      guard holds else { throw .conditionFailed(condition) }
    }
    let extra = form.fields.map(\.name).filter {
      !covered.contains($0.lowercased()) && !Self.needsNoCondition($0.lowercased())
    }
    guard extra.isEmpty else { throw .extraFields(extra) }
  }

  private func value(of field: String, in form: PostForm, bucket: String) -> String? {
    field.lowercased() == "bucket" ? bucket : form[field]
  }

  /// The sizes that all conditions allow, in bytes.
  var sizeLimits: SizeLimits {
    conditions.reduce(into: SizeLimits()) { limits, condition in
      guard case .contentLength(let range) = condition else { return }
      limits.minimum = max(limits.minimum, range.lowerBound)
      limits.maximum = min(limits.maximum, range.upperBound)
    }
  }
}

/// How long a file may be, in bytes.
struct SizeLimits: Hashable, Sendable {
  var minimum = 0
  /// S3 accepts at most 5 GiB in one request.
  var maximum = 5 << 30

  func check(_ size: Int) throws(S3Error) {
    if size < minimum { throw .tooSmall(size, minimum: minimum) }
    if size > maximum { throw .tooLarge(size, maximum: maximum) }
  }
}
