import Requests
import Testing

@Suite struct SensitiveNameTests {
  @Test(arguments: [
    "password", "X-Api-Key", "client_secret", "clientSecret", "accessToken", "ACCESS_TOKEN", "id_token", "authtoken",
    "Authorization", "Set-Cookie", "credentials", "session_id", "sessionid", "DB_PASSWORD", "GITHUB_TOKEN", "APIKEY",
    "private-key", "client_assertion", "x-xsrf-token", "sig", "X-Amz-Signature", "AWSAccessKeyId", "pin",
    "x-goog-api-key",
    "proxy-authorization", "apiKey", "passphrase", "MYSECRET", "pass", "DB_PASS", "ses-sion.id", "to\u{212A}en",
    "policy", "jwt", "otp", "totp", "totp_code", "pwd", "bearer", "signing_key",
  ])
  func `names of secrets`(name: String) {
    #expect(SensitiveName.contains(name))
    for json in ["{\"a\": 1, \"\(name)\": \"x\"}", "{\"\\u0061\": 1}", "{\"\\u00E4\": 1}"] {
      #expect(SensitiveName.mayOccur(inJSON: json))
    }
  }

  @Test(arguments: ["{}", "{\"id\": 7, \"path\": \"/x/1\", \"items\": [{\"name\": \"a\\nb\"}]}"])
  func `a text without such a name`(json: String) {
    #expect(!SensitiveName.mayOccur(inJSON: json))
  }

  @Test(arguments: [
    "", "name", "page", "Idempotency-Key", "token_type", "tokenType", "max_tokens", "tokens", "expires_in",
    "password-length", "spinner", "pinned", "signal", "key", "monkey", "author", "policyholder", "token_endpoint",
    "pass_count", "bypass", "passenger",
  ])
  func `names of anything else`(name: String) {
    #expect(!SensitiveName.contains(name))
  }
}
