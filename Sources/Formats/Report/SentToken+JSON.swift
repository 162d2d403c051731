internal import JSONValue
internal import Requests

extension SentToken {
  /// Who was signed in, and until when.
  var json: JSON {
    var object: JSONObject = ["by": .string(origin)]
    object["until"] = expires.map { .string(CivilTime($0).rfc3339) }
    return .object(object)
  }
}
