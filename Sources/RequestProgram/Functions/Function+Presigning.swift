import JSONValue
import Requests

extension Function {
  /// The one function that makes a secret into another which may go elsewhere: what it returns says nothing of the key,
  /// and is a secret of the URL's own origin.
  static let presign = {
    var function = Function(
      "presign", taking: "(\"GET\", \"/key\", 15m)", makes: "a signed URL", example: "presign(\"GET\", \"/key\", 15m)",
      of: nil, arity: 3...4, gives: .string
    ) { call throws(ProgramError) in
      let (method, path) = (try call.text(call.arguments[0]), try call.text(call.arguments[1]))
      guard case .duration(let lifetime) = call.arguments[2].value.content else {
        throw call.failure(.presign(.lifetime), call.arguments[2])
      }
      let name = call.arguments.count > 3 ? try call.text(call.arguments[3]) : nil
      do throws(PresignError) {
        let (profile, identity, base) = try call.evaluator.scope.profiles.signing(named: name)
        guard identity.source == nil else { throw .keysElsewhere(profile: profile.name) }
        let url = try identity.presign(
          method: method, path: path, base: base, lifetime: lifetime, now: call.evaluator.moment.time)
        let key = Secret("", name: "signed URL of \(profile.name)", for: [OriginPattern(base.origin)])
        return Value(.string(url), secrets: [Secret(url, madeOf: [key])])
      } catch {
        throw call.failure(.presign(error))
      }
    }
    function.lastName = "profile"
    return function
  }()
}
