import Foundation
import RealServers
import Testing

@testable import LibcurlTransport

@Suite(.enabled(if: Nginx.isInstalled, "nginx or openssl is not installed: see Scripts/prepare-servers"))
struct ShownCertificateTests {
  /// The certificate in that file, in DER.
  private static func encoded(_ path: String) throws -> [UInt8] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let body = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    return Array(try #require(Data(base64Encoded: body)))
  }

  private static func counted(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8(bytes.count >> 16), UInt8(bytes.count >> 8 & 0xFF), UInt8(bytes.count & 0xFF)] + bytes
  }

  /// The message in the format of TLS 1.2 or 1.3.
  private static func message(_ certificate: [UInt8], context: Bool) -> [UInt8] {
    let body = context ? [0] + counted(counted(certificate) + [0, 0]) : counted(counted(certificate))
    return [11] + counted(body)
  }

  @Test(arguments: [true, false])
  func `issuer and dates are those of the file`(isThree: Bool) throws {
    let certificates = try Nginx.shared.get().certificates
    let message = Self.message(try Self.encoded(certificates.file(.unknownAuthority)), context: isThree)
    let shown = try #require(ShownCertificate(message: message))
    #expect(shown.issuer == "CN = Some Other CA")
    let (from, to) = (try #require(shown.validFrom), try #require(shown.expires))
    let days = try Date(to, strategy: .iso8601).timeIntervalSince(Date(from, strategy: .iso8601)) / 86_400
    #expect(days == 30)
  }

  @Test func `whatever the bytes, reading ends`() throws {
    let certificates = try Nginx.shared.get().certificates
    let whole = Self.message(try Self.encoded(certificates.file(.good)), context: true)
    for count in whole.indices { _ = ShownCertificate(message: Array(whole.prefix(count))) }
    for index in whole.indices {
      for value: UInt8 in [0, 0x7F, 0x80, 0x84, 0xFF] {
        var bytes = whole
        bytes[index] = value
        _ = ShownCertificate(message: bytes)
        _ = ShownCertificate(encoded: bytes[...])
      }
    }
    #expect(ShownCertificate(message: []) == nil)
    #expect(ShownCertificate(message: [11, 0, 0, 0]) == nil)
    #expect(ShownCertificate(message: [11, 0, 0, 4, 0, 0, 0, 0]) == nil)
  }
}
