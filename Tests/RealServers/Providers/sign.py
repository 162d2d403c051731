"""Signs requests as botocore does: sign.py FILE, a JSON array; prints an array of signatures."""

import datetime, json, sys
from urllib.parse import parse_qs, urlsplit

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials


def sign(case):
    now = datetime.datetime.fromtimestamp(case["now"], datetime.timezone.utc)
    botocore.auth.get_current_datetime = lambda remove_tzinfo=True: now.replace(tzinfo=None) if remove_tzinfo else now
    request = AWSRequest(
        method=case["method"], url=case["url"], headers=dict(case["headers"]), data=case["body"].encode())
    request.context["payload_signing_enabled"] = True
    credentials = Credentials(case["key"], case["secret"], case["token"])
    is_s3 = case["service"] == "s3"
    if case["expires"]:
        auth = botocore.auth.S3SigV4QueryAuth if is_s3 else botocore.auth.SigV4QueryAuth
        auth(credentials, case["service"], case["region"], expires=case["expires"]).add_auth(request)
        return parse_qs(urlsplit(request.url).query)["X-Amz-Signature"][0]
    auth = botocore.auth.S3SigV4Auth if is_s3 else botocore.auth.SigV4Auth
    auth(credentials, case["service"], case["region"]).add_auth(request)
    return request.headers["Authorization"]


print(json.dumps([sign(case) for case in json.load(open(sys.argv[1]))]))
