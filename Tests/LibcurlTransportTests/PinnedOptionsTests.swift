import HTTPTypes
import Requests
import Testing
import UploaderCore

@testable import LibcurlTransport

@Suite struct PinnedOptionsTests {
  /// A change of an option has to change this list, and say why.
  @Test func `every transfer has these options`() {
    #expect(
      PinnedOptions.descriptions == [
        "NOSIGNAL = 1",
        "FOLLOWLOCATION = 0",
        "UNRESTRICTED_AUTH = 0",
        "HTTP09_ALLOWED = 0",
        "NETRC = 0",
        "DISALLOW_USERNAME_IN_URL = 1",
        "PATH_AS_IS = 1",
        "SSL_VERIFYPEER = 1",
        "SSL_VERIFYHOST = 2",
        "SUPPRESS_CONNECT_HEADERS = 1",
        "HEADEROPT = 1",
        "SSLVERSION = 6",
        "PROXY_SSLVERSION = 6",
        "TCP_NODELAY = 1",
        "BUFFERSIZE = 65536",
        "UPLOAD_BUFFERSIZE = 65536",
        "PROTOCOLS_STR = \"http,https\"",
        "PROXY = \"\"",
        "NOPROXY = \"\"",
        "ACCEPT_ENCODING = \"\"",
      ])
  }

  @Test func `a transfer has limits, whoever requests it`() {
    let limits = TransportRequest(method: .get, url: "http://h/").limits
    #expect(limits == SessionProfile.anonymous.limits)
    #expect(limits.connect <= .seconds(30))
    #expect(limits.firstByte <= .seconds(120))
    #expect(limits.idle <= .seconds(60))
    #expect(limits.headBytes <= 256 << 10)
    #expect(limits.headLines <= 1000)
    #expect(limits.bodyBytes <= 1 << 30)
    #expect(limits.ratio <= 250)
  }
}
