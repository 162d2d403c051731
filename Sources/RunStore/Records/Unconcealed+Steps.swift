internal import HTTPTypes
internal import Requests
internal import UploaderCore

// Records of requests and responses, with their secrets: the only place where they are made.

extension Unconcealed<RecordedStep> {
  /// A step as far as it is known before it is sent.
  init(
    _ prepared: PreparedRequest, at position: StepPosition, _ state: RecordedStep.State, attempt: Int,
    started: Duration
  ) {
    let head = prepared.description.head
    self.init(
      RecordedStep(
        position: position, label: head.label, number: head.number, round: head.round, attempt: attempt, state: state,
        effect: head.effect, started: started, request: RecordedRequest(whole: prepared), source: head.place?.source,
        offset: head.place?.range.lowerBound, items: head.items,
        expectations: head.expectations > 0 ? head.expectations : nil, boot: BootID.current))
  }

  init(_ answered: AnsweredStep) {
    self.init(RecordedStep(whole: answered))
  }

  /// A step that may have got a response.
  init(_ step: JournalledStep, _ exchange: Exchange?) {
    var whole = Unconcealed(
      step.prepared, at: step.position, exchange == nil ? .intended : .answered, attempt: 1,
      started: exchange?.started ?? .zero
    ).record
    whole.response = exchange.map { RecordedResponse(whole: $0, unmet: []) }
    self.init(whole)
  }
}

extension Unconcealed<BatchedStep> {
  /// - Parameter moment: the seed with which it was asked for.
  init(_ answered: AnsweredStep, asked moment: StepSeed?) {
    self.init(BatchedStep(step: RecordedStep(whole: answered), moment: moment))
  }
}

extension RecordedStep {
  /// The record of a step as far as it is known before it is sent.
  init(
    _ prepared: PreparedRequest, at position: StepPosition, _ state: State, attempt: Int = 1, started: Duration,
    _ concealment: Concealment
  ) {
    let step = Unconcealed<RecordedStep>(prepared, at: position, state, attempt: attempt, started: started)
    self = step.concealed(concealment)
  }

  fileprivate init(whole answered: AnsweredStep) {
    let head = answered.prepared.description.head
    self.init(
      position: answered.position, label: head.label, number: head.number, round: head.round,
      attempt: answered.attempt, state: answered.isDone ? .answered : .unmet, effect: head.effect,
      started: answered.exchange.started, finished: answered.finished,
      request: RecordedRequest(whole: answered.prepared),
      response: RecordedResponse(whole: answered.exchange, unmet: answered.unmet), source: head.place?.source,
      offset: head.place?.range.lowerBound, items: head.items,
      expectations: head.expectations > 0 ? head.expectations : nil, boot: BootID.current)
  }
}

extension RecordedRequest {
  /// The request as it is stored, without what changes each time: a boundary, a signature, a signing date.
  init(_ prepared: PreparedRequest, _ markers: SecretMarkers) {
    self = Unconcealed(RecordedRequest(whole: prepared)).concealed(Concealment(markers: markers))
  }

  fileprivate init(whole prepared: PreparedRequest) {
    let request = prepared.request
    method = request.method.rawValue
    url = request.url
    profile = prepared.profile
    headers = request.headers.compactMap { field in
      guard !Self.changing.contains(field.name.canonicalName) else { return nil }
      let isForm = field.name == .contentType && field.value.hasPrefix("multipart/form-data; boundary=")
      return Field(name: field.name.rawName, value: isForm ? "multipart/form-data" : field.value)
    }
    let names = request.omittedHeaders.map(\.canonicalName)
    omittedHeaders = names.isEmpty ? nil : names.joined(separator: ", ")
    switch prepared.description {
    case .inMemory(let description): body = description.body.map { .bytes($0.bytes) } ?? .none
    case .stream(let description): body = .file(File(description.file))
    case .multipart(let description):
      body = .parts(
        description.parts.map { part in
          let content: Part.Content
          switch part.content {
          case .bytes(let bytes): content = .bytes(bytes)
          case .file(let file): content = .file(File(file))
          }
          return Part(name: part.name, type: part.contentType, fileName: part.fileName, content: content)
        })
    }
  }

  private static let changing: Set<String> = [
    "authorization", "x-amz-date", "x-amz-content-sha256", "x-amz-security-token",
  ]
}

extension RecordedResponse {
  fileprivate init(whole exchange: Exchange, unmet: [UnmetExpectation]) {
    let response = exchange.response
    self.init(
      sent: Sent(whole: exchange.request), status: response.status.code, reason: response.status.reasonPhrase,
      version: response.version, headers: RecordedRequest.Field.whole(response.headers), body: response.body,
      timings: exchange.timings, started: exchange.started,
      redirects: exchange.redirects.map { hop in
        Hop(
          sent: Sent(whole: hop.request), status: hop.response.status.code,
          headers: RecordedRequest.Field.whole(hop.response.headers))
      }, failedAttempts: exchange.failedAttempts, unmet: unmet, token: exchange.token)
  }
}

extension RecordedResponse.Sent {
  fileprivate init(whole request: SentRequest) {
    self.init(
      method: request.method.rawValue, url: request.url, headers: RecordedRequest.Field.whole(request.headers),
      bodySize: request.bodySize)
  }
}

extension RecordedRequest.Field {
  fileprivate static func whole(_ fields: HTTPFields) -> [Self] {
    fields.map { Self(name: $0.name.rawName, value: $0.value) }
  }
}
