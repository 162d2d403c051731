public import Requests

extension SentToken {
  /// For people: `signed in: oauth browser, workbench at https://login.example.com, until 2026-11-23T04:32:10.351Z`.
  public var sentence: String {
    "signed in: \(origin)\(expires.map { ", until \(CivilTime($0).rfc3339)" } ?? "")"
  }
}
