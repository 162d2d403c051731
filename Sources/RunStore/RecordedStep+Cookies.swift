internal import HTTPTypes
public import Requests
internal import UploaderCore

extension RecordedStep {
  /// The values of the cookies that these steps were given: whoever shows the steps hides them.
  public static func cookieSecrets(in steps: some Sequence<RecordedStep>) -> Set<Secret> {
    steps.reduce(into: []) { secrets, step in
      guard let answer = step.answer else { return }
      for headers in [answer.headers] + answer.redirects.map(\.headers) {
        secrets.formUnion(CookieSecrets.found(in: headers.filter { $0.isNamed("set-cookie") }.map(\.value)))
      }
    }
  }

  /// The step with every text in it changed, the body of its answer too unless it lies in the spool.
  package func mapTexts(_ change: ([UInt8]) -> [UInt8]) -> RecordedStep {
    func text(_ text: String) -> String { String(decoding: change(Array(text.utf8)), as: UTF8.self) }
    func fields(_ fields: [RecordedRequest.Field]) -> [RecordedRequest.Field] {
      fields.map { RecordedRequest.Field(name: text($0.name), value: text($0.value)) }
    }
    var step = self
    step.request.url = text(request.url)
    step.request.headers = fields(request.headers)
    switch request.body {
    case .none, .file: break
    case .bytes(let bytes): step.request.body = .bytes(change(bytes))
    case .parts(let parts):
      step.request.body = .parts(
        parts.map { part in
          var part = part
          part.name = text(part.name)
          part.type = part.type.map(text)
          part.fileName = part.fileName.map(text)
          if case .bytes(let bytes) = part.content { part.content = .bytes(change(bytes)) }
          return part
        })
    }
    step.failure = failure.map(text)
    guard var answer else { return step }
    answer.sent.url = text(answer.sent.url)
    answer.sent.headers = fields(answer.sent.headers)
    answer.reason = text(answer.reason)
    answer.headers = fields(answer.headers)
    for index in answer.redirects.indices {
      answer.redirects[index].sent.url = text(answer.redirects[index].sent.url)
      answer.redirects[index].sent.headers = fields(answer.redirects[index].sent.headers)
      answer.redirects[index].headers = fields(answer.redirects[index].headers)
    }
    answer.failedAttempts = answer.failedAttempts.map { FailedAttempt(reason: text($0.reason), wait: $0.wait) }
    answer.unmet = answer.unmet.map {
      UnmetExpectation(subject: text($0.subject), expected: text($0.expected), actual: text($0.actual))
    }
    if answer.body.count <= RunStore.inlineLimit, let bytes = try? answer.body.bytes() {
      answer.body = ResponseBody(change(bytes))
    }
    step.answer = answer
    return step
  }
}

extension RecordedRequest.Field {
  /// - Parameter name: in lower case.
  package func isNamed(_ name: String) -> Bool { self.name.lowercased() == name }
}
