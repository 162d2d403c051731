import Requests
import Testing

@Suite struct SensitiveNameTests {
  @Test(arguments: [
    "password", "X-Api-Key", "client_secret", "clientSecret", "accessToken", "ACCESS_TOKEN", "id_token", "authtoken",
    "Authorization", "Set-Cookie", "credentials", "session_id", "sessionid", "DB_PASSWORD", "GITHUB_TOKEN", "APIKEY",
    "private-key", "client_assertion", "x-xsrf-token", "sig", "X-Amz-Signature", "AWSAccessKeyId", "pin",
    "x-goog-api-key",
    "proxy-authorization", "apiKey", "passphrase", "MYSECRET",
  ])
  func `names of secrets`(name: String) {
    #expect(SensitiveName.contains(name))
  }

  @Test(arguments: [
    "", "name", "page", "Idempotency-Key", "token_type", "tokenType", "max_tokens", "tokens", "expires_in",
    "password-length", "spinner", "pinned", "signal", "key", "monkey", "author", "policyholder", "token_endpoint",
  ])
  func `names of anything else`(name: String) {
    #expect(!SensitiveName.contains(name))
  }
}
