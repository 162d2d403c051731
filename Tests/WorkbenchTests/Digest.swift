import Crypto
import Foundation

enum Digest {
  /// In hex.
  static func sha256(_ data: Data) -> String {
    SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
  }
}
