import JSONValue
import Requests

/// What a response calls a credential beside one that the script takes from it: the refresh token beside the access
/// token. Nobody said where it may go, so it is only hidden.
enum Companions {
  /// Nobody signs in with a response that is longer, in bytes.
  private static let longest = 64 << 10

  /// - Parameters:
  ///   - taken: the secrets that the script makes of the response.
  ///   - step: what the step is called.
  static func secrets(beside taken: Set<Secret>, in response: Response, of step: String) -> Set<Secret> {
    guard taken.contains(where: { !$0.isOnlyHidden }), response.isJSON, response.body.count <= longest,
      let bytes = try? response.body.bytes(), SensitiveName.mayOccur(inJSON: bytes),
      !SecretSearch(taken).found(in: bytes).isEmpty, let json = try? JSON(parsing: bytes)
    else { return [] }
    var found: Set<Secret> = []
    collect(json, step, &found)
    let known = SecretSearch(taken)
    return found.filter { secret in secret.withExposedText { known.found(in: $0).isEmpty } }
  }

  private static func collect(_ json: JSON, _ step: String, _ found: inout Set<Secret>) {
    switch json {
    case .object(let object):
      for member in object.members {
        if case .string(let text) = member.value {
          guard text.utf8.count >= Secret.fewestBytesOfLong, SensitiveName.isCredential(member.key) else { continue }
          found.insert(Secret(hidden: text, name: "\(member.key) of \(step)"))
        } else {
          collect(member.value, step, &found)
        }
      }
    case .array(let items): for item in items { collect(item, step, &found) }
    case .string, .number, .bool, .null: break
    }
  }
}
