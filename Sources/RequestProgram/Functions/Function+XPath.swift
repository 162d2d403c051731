import HTTPTypes
import JSONValue
import RequestSyntax
import Requests

/// Looking into XML and HTML.
extension Function {
  static let xpath = Function(
    "xpath", taking: "(\"//a/@href\")", makes: "what XPath 1.0 finds in XML or HTML",
    example: "\"<a><b>1</b></a>\" | xpath(\"string(//b)\")", of: .content, arity: 1...2, gives: { _ in nil },
    fault: { expression in XPath(expression: expression).fault().map { .other($0.sentence) } }
  ) { call throws(ProgramError) in
    let bytes = try call.bytes(call.input)
    var path = XPath(expression: try call.text(call.arguments[0]))
    if call.arguments.count > 1 {
      let argument = call.arguments[1]
      guard case .object(let object)? = argument.value.json else {
        throw call.failure(
          .wrongKind(wanted: "an object of prefixes and their URIs", actual: argument.value.kind), argument)
      }
      for member in object.members {
        guard case .string(let uri) = member.value else {
          throw call.failure(.wrongKind(wanted: "a URI", actual: Value(member.value).kind), argument)
        }
        path.namespaces.append((member.key, uri))
      }
    }
    let isText = if case .json = call.input.value.content { true } else { false }
    let kind = call.evaluator.documentKind(of: call.input.value, bytes)
    do throws(XPath.Failure) {
      let end = ContinuousClock.now + call.evaluator.documentPatience
      return Value(
        try XPathEvaluation.value(of: path, in: bytes, kind, isUTF8: isText) {
          !Task.isCancelled && ContinuousClock.now < end
        })
    } catch .stopped {
      throw call.failure(Task.isCancelled ? .interrupted : .xpathTookTooLong(call.evaluator.documentPatience))
    } catch {
      throw call.failure(.xpath(Quoted(call.arguments[0].value, error.sentence)))
    }
  }
}

extension Evaluator {
  /// How long looking into one document may take: what is in it comes from a server.
  var documentPatience: Duration { environment.patience ?? .seconds(30) }

  /// HTML if the response that it is from says so; where nothing says anything, if it looks like that.
  func documentKind(of value: Value, _ bytes: [UInt8]) -> XPath.Kind {
    if case .response(let step, _, let url) = value.provenance {
      var type = exchange.flatMap { $0.request.url == url ? $0.response.contentType : nil }
      if type == nil, case .exchange(let other, _, _) = scope.lookUp(step) {
        type = other.response.contentType
      }
      type = type ?? scope.response(from: url)?.response.contentType
      let essence = type.map(MediaType.essence) ?? ""
      if essence == "text/html" { return .html }
      if essence.hasSuffix("xml") { return .xml }
    }
    let start = String(decoding: bytes.prefix(1_024), as: UTF8.self).trimmed.lowercased()
    if start.hasPrefix("<?xml") { return .xml }
    return start.contains("<!doctype html") || start.contains("<html") || start.contains("<body") ? .html : .xml
  }
}
