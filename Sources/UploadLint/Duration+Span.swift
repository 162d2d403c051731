internal import Requests

extension Duration {
  /// A span as people write it: `4 s`, `12 min`, `3 h 20 min`, `2 days`.
  var span: String {
    let seconds = Int(min(abs(inSeconds).rounded(), 1e15))
    switch seconds {
    case ..<120: return "\(seconds) s"
    case ..<7200: return "\(seconds / 60) min" + (seconds % 60 == 0 ? "" : " \(seconds % 60) s")
    case ..<172_800: return "\(seconds / 3600) h" + (seconds % 3600 < 60 ? "" : " \(seconds % 3600 / 60) min")
    default: return "\(seconds / 86_400) days"
    }
  }
}
