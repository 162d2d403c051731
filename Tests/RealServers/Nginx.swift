import Foundation

/// nginx with TLS, HTTP/2 and a private authority, on free loopback ports.
///
/// Every response is one line that reports what nginx saw: `HTTP/2.0 host=localhost:4711 client=NONE uri=/x`.
public final class Nginx: Sendable {
  public let certificates: Certificates
  /// `127.0.0.1` and `::1`, without TLS.
  public let plainPort: Int
  /// One that requires a client certificate of the authority.
  public let mutualPort: Int
  /// The path of a socket that serves without TLS.
  public let unixSocket: String
  private let tlsPorts: [Certificates.Server: Int]
  private let process: ServerProcess
  private let directory: URL

  /// Whether nginx and openssl are installed; tests that need them say so when they are skipped.
  public static let isInstalled = ServerProcess.find("nginx") != nil && Certificates.isPossible

  /// The one all tests share.
  public static let shared = Result { try Nginx() }

  public init() throws {
    guard let program = ServerProcess.find("nginx") else { throw ServerFailure("nginx is not installed") }
    directory = FileManager.default.temporaryDirectory.appending(path: "nginx-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    certificates = try Certificates(in: directory)
    let ports = try Port.free(2 + Certificates.Server.allCases.count)
    plainPort = ports[0]
    mutualPort = ports[1]
    tlsPorts = Dictionary(uniqueKeysWithValues: zip(Certificates.Server.allCases, ports.dropFirst(2)))
    unixSocket = directory.appending(path: "nginx.sock").path

    var servers = Self.server(
      ["listen 127.0.0.1:\(plainPort);", "listen [::1]:\(plainPort);", "listen unix:\(unixSocket);"])
    for (certificate, port) in tlsPorts {
      servers += Self.server(Self.tls(port, certificate))
    }
    servers += Self.server(
      Self.tls(mutualPort, .good) + ["ssl_client_certificate ca.pem;", "ssl_verify_client on;"])
    let configuration = """
      daemon off; master_process off; worker_processes 1; pid nginx.pid; error_log error.log;
      events { worker_connections 512; }
      http {
        access_log off; client_max_body_size 0; client_body_temp_path body; proxy_temp_path proxy;
        fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi; default_type text/plain;
        \(servers)
      }
      """
    let file = directory.appending(path: "nginx.conf")
    try Data(configuration.utf8).write(to: file)
    process = try ServerProcess(program, ["-p", directory.path, "-e", "error.log", "-c", file.path], in: directory)
    try Port.wait(for: mutualPort, log: directory.appending(path: "server.log"))
  }

  /// The port where nginx presents that certificate.
  public func port(_ certificate: Certificates.Server = .good) -> Int { tlsPorts[certificate] ?? 0 }

  public func url(_ certificate: Certificates.Server = .good) -> String { "https://localhost:\(port(certificate))" }

  private static func tls(_ port: Int, _ certificate: Certificates.Server) -> [String] {
    [
      "listen 127.0.0.1:\(port) ssl http2;", "listen [::1]:\(port) ssl http2;",
      "ssl_protocols TLSv1.2 TLSv1.3;", "ssl_certificate \(certificate.rawValue).pem;",
      "ssl_certificate_key \(certificate.rawValue).key;",
    ]
  }

  private static func server(_ lines: [String]) -> String {
    let answer = "$server_protocol host=$http_host client=$ssl_client_verify $ssl_client_s_dn uri=$request_uri"
    return """
      server {
        \(lines.joined(separator: "\n  "))
        location / { return 200 "\(answer)"; }
        location = /connection { return 200 "$connection"; }
        location = /cookie {
          add_header Set-Cookie "sid=abc; Path=/; HttpOnly";
          return 200 "cookie=$http_cookie";
        }
      }

      """
  }
}
