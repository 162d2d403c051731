import Requests

/// Digests of texts, bytes and files.
extension Function {
  static let digests: [Function] = [sha256, md5, hmacSHA256]

  private static let sha256 = Function(
    "sha256", makes: "a digest", example: "\"a\" | sha256", of: .content, gives: .digest
  ) { call throws(ProgramError) in try digest(.sha256, call) }

  private static let md5 = Function(
    "md5", makes: "a digest", example: "\"a\" | md5", of: .content, gives: .digest
  ) { call throws(ProgramError) in try digest(.md5, call) }

  private static let hmacSHA256 = Function(
    "hmac-sha256", taking: "(key)", makes: "a keyed digest", example: "\"body\" | hmac-sha256(\"key\")", of: .content,
    arity: 1...1,
    gives: .digest
  ) { call throws(ProgramError) in
    Value(.digest(Digest.hmacSHA256(try call.bytes(call.input), key: try call.bytes(call.arguments[0]))))
  }

  /// A file is not read into memory as a whole.
  private static func digest(_ digest: Digest, _ call: FunctionCall) throws(ProgramError) -> Value {
    switch call.input.value.content {
    case .file(let file), .chunk(let file, _, _):
      do throws(FileError) {
        return Value(.digest(try digest.of(file)))
      } catch {
        throw call.failure(.file(error), call.input)
      }
    default: return Value(.digest(digest.of(try call.bytes(call.input))))
    }
  }
}
