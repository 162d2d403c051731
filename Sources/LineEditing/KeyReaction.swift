internal import CEditLine

/// What a key function tells libedit to do next.
enum KeyReaction {
  /// The screen is already up to date.
  case nothing
  /// The line changed.
  case refresh
  /// There was nothing to do.
  case beep
  /// The input ended in the meantime.
  case endInput

  var code: UInt8 {
    switch self {
    case .nothing: UInt8(CC_NORM)
    case .refresh: UInt8(CC_REFRESH)
    case .beep: UInt8(CC_REFRESH_BEEP)
    case .endInput: UInt8(CC_EOF)
    }
  }
}
