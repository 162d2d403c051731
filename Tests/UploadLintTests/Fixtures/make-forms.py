"""Makes the presigned forms and URLs of the tests with boto3, and with what Google and Microsoft document."""
import base64, datetime, hashlib, hmac, json, sys, urllib.parse
import boto3, botocore.auth, botocore.signers
from botocore.config import Config

NOW = datetime.datetime(2026, 1, 2, 3, 4, 5)
KEY, SECRET = "TESTKEYOFNOBODY", "test-secret-of-nobody"

class Fixed(datetime.datetime):
    @classmethod
    def utcnow(cls): return cls(2026, 1, 2, 3, 4, 5)
    @classmethod
    def now(cls, tz=None):
        value = cls(2026, 1, 2, 3, 4, 5, tzinfo=tz)
        return value

import botocore.compat
for module in (botocore.auth, botocore.signers, botocore.compat):
    if hasattr(module, "datetime"):
        if isinstance(getattr(module, "datetime"), type): module.datetime = Fixed
        else: module.datetime.datetime = Fixed
    if hasattr(module, "get_current_datetime"):
        module.get_current_datetime = lambda remove_tzinfo=True: NOW if remove_tzinfo else NOW.replace(tzinfo=datetime.timezone.utc)
import time as _time
class T:
    def __getattr__(self, name): return getattr(_time, name)
    def time(self): return NOW.replace(tzinfo=datetime.timezone.utc).timestamp()
botocore.auth.time = T()

def s3(version, region="eu-west-1"):
    return boto3.client("s3", region_name=region, aws_access_key_id=KEY, aws_secret_access_key=SECRET,
        endpoint_url=None, config=Config(signature_version=version, s3={"addressing_style": "virtual"}))

def post(version):
    made = s3(version).generate_presigned_post("plans", "u/a.png",
        Fields={"acl": "private", "Content-Type": "image/png"},
        Conditions=[{"acl": "private"}, {"Content-Type": "image/png"}, ["content-length-range", 1, 5]], ExpiresIn=900)
    return made

def put(version):
    return s3(version).generate_presigned_url("put_object", Params={"Bucket": "plans", "Key": "u/a.png",
        "ContentType": "image/png"}, ExpiresIn=900)

def google():
    date, stamp = "20260102", "20260102T030405Z"
    credential = f"tests@nobody.iam.gserviceaccount.com/{date}/auto/storage/goog4_request"
    conditions = [{"bucket": "plans"}, {"key": "u/a.png"}, {"Content-Type": "image/png"},
        ["content-length-range", 1, 5], {"x-goog-date": stamp}, {"x-goog-credential": credential},
        {"x-goog-algorithm": "GOOG4-HMAC-SHA256"}]
    policy = base64.b64encode(json.dumps({"conditions": conditions, "expiration": "2026-01-02T03:19:05Z"}).encode()).decode()
    def h(k, m): return hmac.new(k, m.encode(), hashlib.sha256).digest()
    signing = h(h(h(h(("GOOG4" + SECRET).encode(), date), "auto"), "storage"), "goog4_request")
    fields = {"key": "u/a.png", "Content-Type": "image/png", "x-goog-date": stamp, "x-goog-credential": credential,
        "x-goog-algorithm": "GOOG4-HMAC-SHA256", "policy": policy,
        "x-goog-signature": hmac.new(signing, policy.encode(), hashlib.sha256).hexdigest()}
    query = {"X-Goog-Algorithm": "GOOG4-HMAC-SHA256", "X-Goog-Credential": credential, "X-Goog-Date": stamp,
        "X-Goog-Expires": "900", "X-Goog-SignedHeaders": "content-type;host"}
    text = urllib.parse.urlencode(sorted(query.items()), quote_via=urllib.parse.quote)
    request = "\n".join(["PUT", "/plans/u/a.png", text, "content-type:image/png", "host:storage.googleapis.com", "",
        "content-type;host", "UNSIGNED-PAYLOAD"])
    to_sign = "\n".join(["GOOG4-HMAC-SHA256", stamp, f"{date}/auto/storage/goog4_request",
        hashlib.sha256(request.encode()).hexdigest()])
    signature = hmac.new(signing, to_sign.encode(), hashlib.sha256).hexdigest()
    return ({"url": "https://storage.googleapis.com/plans/", "fields": fields},
        f"https://storage.googleapis.com/plans/u/a.png?{text}&X-Goog-Signature={signature}")

def azure(permissions="cw"):
    start, end, version = "2026-01-02T03:04:05Z", "2026-01-02T03:19:05Z", "2022-11-02"
    key = base64.b64encode(SECRET.encode()).decode()
    to_sign = "\n".join([permissions, start, end, "/blob/nobody/plans/u/a.png", "", "", "https", version, "b", "", "",
        "", "", "", "", ""])
    signature = base64.b64encode(hmac.new(base64.b64decode(key), to_sign.encode(), hashlib.sha256).digest()).decode()
    query = {"sp": permissions, "st": start, "se": end, "spr": "https", "sv": version, "sr": "b", "sig": signature}
    return f"https://nobody.blob.core.windows.net/plans/u/a.png?{urllib.parse.urlencode(query)}"

form, url = google()
print(json.dumps({"post-v2": post("s3"), "post-v4": post("s3v4"), "put-v2": put("s3"), "put-v4": put("s3v4"),
    "google-post": form, "google-put": url, "azure-put": azure(), "azure-read-only": azure("r")}, indent=2))
