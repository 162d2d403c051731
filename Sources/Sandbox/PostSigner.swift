import Essentials

/// Signs and checks POST uploads to one bucket.
struct PostSigner: Sendable {
  static let service = "s3"

  var credentials: SigV4.Credentials
  var region: String
  var bucket: String

  /// The fields a client has to send before its file to store it under a key, in the order they are sent.
  ///
  /// As botocore's `generate_presigned_post` makes them: the policy has the caller's conditions first, then one for the
  /// bucket and each field.
  func fields(
    key: String, conditions: [PostPolicy.Condition], now: Date, expiration: Date
  ) -> [PostForm.Field] {
    let date = DateText.basic(now)
    let scope = SigV4.Scope(day: String(date.prefix(8)), region: region, service: Self.service)
    let credential = SigV4.Credential(accessKey: credentials.accessKey, scope: scope)
    let signed = [
      PostForm.Field(name: "key", value: key),
      PostForm.Field(name: "x-amz-algorithm", value: SigV4.algorithm),
      PostForm.Field(name: "x-amz-credential", value: credential.description),
      PostForm.Field(name: "x-amz-date", value: date),
    ]
    let policy = PostPolicy(
      expiration: expiration,
      conditions: conditions + [.equal(field: "bucket", value: bucket)]
        + signed.map { .equal(field: $0.name, value: $0.value) }
    ).base64
    let signature = SigV4.SigningKey(secretKey: credentials.secretKey, scope: scope).signature(of: policy)
    return signed + [
      PostForm.Field(name: "policy", value: policy), PostForm.Field(name: "x-amz-signature", value: signature),
    ]
  }

  /// Decides whether a form may store its file, and how long the file may be.
  func admit(_ form: PostForm, now: Date) throws(S3Error) -> (key: String, limits: SizeLimits) {
    let key = try form.key()
    let policy = try form.required("policy")
    let algorithm = try form.required("x-amz-algorithm")
    let credentialText = try form.required("x-amz-credential")
    let date = try form.required("x-amz-date")
    let signature = try form.required("x-amz-signature")

    guard algorithm == SigV4.algorithm else { throw .fieldInvalid("x-amz-algorithm", value: algorithm) }
    guard let credential = SigV4.Credential(credentialText), credential.scope.service == Self.service,
      credential.scope.region == region
    else { throw .fieldInvalid("x-amz-credential", value: credentialText) }
    guard DateText.parseBasic(date) != nil, date.hasPrefix(credential.scope.day) else {
      throw .fieldInvalid("x-amz-date", value: date)
    }
    guard credential.accessKey == credentials.accessKey else { throw .unknownAccessKey(credential.accessKey) }
    let signingKey = SigV4.SigningKey(secretKey: credentials.secretKey, scope: credential.scope)
    guard signature == signingKey.signature(of: policy) else {
      throw .signatureMismatch(accessKey: credential.accessKey, stringToSign: policy, provided: signature)
    }

    let rules = try PostPolicy(base64: policy)
    try rules.check(form, bucket: bucket, now: now)
    guard !key.isEmpty else { throw .fieldInvalid("key", value: key) }
    guard ObjectStore.fileName(ofKey: key) != nil else { throw .keyTooLong(key) }
    return (key, rules.sizeLimits)
  }
}
