public import Requests

/// Looks at an upload, one that failed or one that is about to be sent, with every rule there is.
public struct UploadLint: Sendable {
  /// What a file is now; nil if there is none.
  let identify: @Sendable (_ path: String) -> FileSlice.Identity?
  /// What was answered before: where the URL and the fields came from.
  let earlier: [Exchange]

  /// - Parameters:
  ///   - earlier: the exchanges before the upload, which may say what has to be sent with its URL.
  ///   - identify: what a file is now, by its path; by default the system is asked.
  public init(
    after earlier: [Exchange] = [],
    identify: @escaping @Sendable (String) -> FileSlice.Identity? = { try? FileSlice(path: $0).identity }
  ) {
    self.earlier = earlier
    self.identify = identify
  }

  /// Everything that is wrong, the likely cause first. Nothing about a request that is no upload to storage, but for a
  /// file that changed and an error that is called a success.
  public func findings(in attempt: UploadAttempt) -> [UploadFinding] {
    Self.rules.flatMap { $0.findings(attempt, self) }
  }

  private static var rules: [any UploadRule.Type] {
    [
      ErrorInSuccess.self, AuthorizationBesideSignature.self, PresignedURLExpired.self, PolicyExpired.self,
      PolicyConditions.self, FileNotLast.self, SignedHeaders.self, ChunkedUpload.self, FileChanged.self, ClockSkew.self,
      StoredDigest.self,
    ]
  }
}

/// One rule: pure but for what a file is now.
protocol UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding]
}
