import Requests
import Testing
import UploaderCore

@Suite struct CookieFileTests {
  @Test(arguments: [(99, "a=1; b=2"), (100, "b=2"), (101, "b=2")])
  func `a cookie is sent until its time is over`(now: Int, sent: String) throws {
    let file = try #require(
      CookieFile("a.example\tFALSE\t/\tFALSE\t100\ta\t1\na.example\tFALSE\t/\tFALSE\t0\tb\t2\n"))
    let origin = Origin(scheme: .http, host: "a.example")
    #expect(file.header(for: origin, "http://a.example/x", now: .seconds(now))?.text == sent)
  }

  @Test(arguments: ["", "# Netscape HTTP Cookie File\n", "a.example\tFALSE\t/\tFALSE\tnever\ta\t1", "a=1"])
  func `a file without cookies is none`(text: String) {
    #expect(CookieFile(text) == nil)
  }
}
