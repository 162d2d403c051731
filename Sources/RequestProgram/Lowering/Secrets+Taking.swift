import Requests

extension Set<Secret> {
  /// Takes over the secrets of a value that becomes a part of a request.
  mutating func take(_ value: Value) {
    guard !value.taint.isEmpty, case .accompanied = Outlet.wire.treatment else { return }
    formUnion(value.exposed.secrets)
  }
}

extension [Secret] {
  /// Takes over the secrets of a value that becomes a part of a profile's requests.
  mutating func take(_ value: Value) {
    var taken: Set<Secret> = []
    taken.take(value)
    self += taken.sorted { $0.name < $1.name }
  }
}
