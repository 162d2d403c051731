public import Requests
public import UploaderCore

/// A transport that sends nothing, and reads the origin of a URL in the plain form used by the tests: everything up to
/// its path.
public protocol OfflineTransport: Transport {}

extension OfflineTransport {
  public func origin(of url: String) throws(TransportError) -> Origin {
    guard let end = url.firstRange(of: "://")?.upperBound else { throw TransportError(.url(url, reason: "no scheme")) }
    let authority = url[end...].prefix { $0 != "/" && $0 != "?" }
    do {
      return try Origin("\(url[..<end])\(authority)")
    } catch {
      throw TransportError(.url(url, reason: "\(error)"))
    }
  }
}
