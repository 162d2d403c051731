import JSONValue
import Testing

@testable import Requests

/// Against OpenSSL's, around the lengths at which a block ends.
struct SHA512Of256BitsTests {
  @Test(arguments: [
    (0, "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
    (1, "10baad1713566ac2333467bddb0597dec9066120dd72ac2dcb8394221dcbe43d"),
    (3, "786d8a705ef341263d7efe2d8d3adecc526153bf107b1506c2787031d2b6f20a"),
    (111, "fe05f95a81e48e53dcd275664fb4fe739f84e4c617a7c756a4398a1b1534119f"),
    (112, "3a518cc56feb86a1e3b85c262b8a5f4d209e4acdc2b1b5af72e49020bd84d7a0"),
    (119, "c74f79d21e011a3a16ff71f509503a4ae2231f7eb91f679c4e992bbfc0dc295b"),
    (120, "1b97aee7544fd98ce52ae834bea122344ee0dcc4648404ebdd838c278fb22cd0"),
    (127, "791ad5c3b05901099ab96bff29f05f517c892e0d55c5f056483c5a22c3b8301d"),
    (128, "ece50bea01326751d73f091ee36b3fccce496e289db73356389723777b8788e7"),
    (129, "c8eb2bb0fbf44b8f5a57d3bb57e304a43e89ac9db8153498e7a2db512d391938"),
    (1000, "9fcc4b1db1bb5edafdad4c6c54a1e6a5552ab30a7d5fbf82a6597ed3292c6290"),
  ])
  func `a digest is that of another implementation, in one piece or in many`(count: Int, digest: String) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
    #expect(SHA512Of256Bits.hash(bytes).hex == digest)
    var pieces = SHA512Of256Bits()
    for start in stride(from: 0, to: count, by: 13) { pieces.update(bytes[start..<min(count, start + 13)]) }
    #expect(pieces.finalize().hex == digest)
  }
}
