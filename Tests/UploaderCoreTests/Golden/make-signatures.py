#!/usr/bin/env python3
"""Makes signatures.json: how botocore signs requests (Signature Version 4), with time held still.

Needs botocore (pip install botocore). Run it as: ./make-signatures.py > signatures.json
"""

import datetime
import json

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

ACCESS_KEY = "AKIAIOSFODNN7EXAMPLE"
SECRET_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

CASES = [
    {"name": "bare", "service": "execute-api", "url": "https://api.example.com/"},
    {"name": "no path", "service": "execute-api", "url": "https://api.example.com"},
    {"name": "port", "service": "execute-api", "url": "http://127.0.0.1:4566/a"},
    {"name": "unsorted query", "service": "execute-api", "url": "https://api.example.com/?b=2&a=1&B=3&a=0"},
    {"name": "valueless query", "service": "s3", "url": "https://b.s3.amazonaws.com/k?uploads=&x=1"},
    {"name": "encoded query", "service": "s3", "url": "https://b.s3.amazonaws.com/?prefix=a%2Fb%20c&delimiter=%2F"},
    {"name": "space in the path", "service": "execute-api", "url": "https://api.example.com/a%20b/c"},
    {"name": "space in a key", "service": "s3", "url": "https://b.s3.amazonaws.com/a%20b/%C3%A4//c"},
    {"name": "dots", "service": "execute-api", "url": "https://api.example.com/a/./b/../c//d/"},
    {"name": "dots in a key", "service": "s3", "url": "https://b.s3.amazonaws.com/a/../b"},
    {
        "name": "JSON body",
        "service": "dynamodb",
        "method": "POST",
        "url": "https://dynamodb.eu-west-1.amazonaws.com/",
        "region": "eu-west-1",
        "headers": {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "DynamoDB_20120810.ListTables"},
        "body": '{"Limit": 3}',
    },
    {
        "name": "odd spaces",
        "service": "execute-api",
        "url": "https://api.example.com/",
        "headers": {"X-Note": "a   b  c", "User-Agent": "not signed"},
    },
    {"name": "put", "service": "s3", "method": "PUT", "url": "http://127.0.0.1:9000/b/k", "body": "hello"},
    {"name": "token", "service": "s3", "url": "https://b.s3.amazonaws.com/k", "token": "session/token+="},
    {"name": "leap day", "service": "s3", "url": "https://b.s3.amazonaws.com/k", "now": "2024-02-29T23:59:59"},
    {"name": "new year", "service": "s3", "url": "https://b.s3.amazonaws.com/k", "now": "2027-01-01T00:00:00"},
]


def sign(case):
    now = datetime.datetime.fromisoformat(case["now"])
    botocore.auth.get_current_datetime = lambda remove_tzinfo=True: (
        now if remove_tzinfo else now.replace(tzinfo=datetime.timezone.utc)
    )
    request = AWSRequest(
        method=case["method"], url=case["url"], headers=dict(case["headers"]), data=case["body"].encode()
    )
    signer = botocore.auth.S3SigV4Auth if case["service"] == "s3" else botocore.auth.SigV4Auth
    request.context["payload_signing_enabled"] = True
    credentials = Credentials(ACCESS_KEY, SECRET_KEY, case["token"])
    signer(credentials, case["service"], case["region"]).add_auth(request)
    return request.headers["Authorization"]


DEFAULTS = {
    "method": "GET",
    "region": "us-east-1",
    "headers": {},
    "body": "",
    "now": "2026-01-02T03:04:05",
    "token": None,
}
cases = [{**DEFAULTS, **case} for case in CASES]
for case in cases:
    moment = datetime.datetime.fromisoformat(case["now"]).replace(tzinfo=datetime.timezone.utc)
    case["authorization"] = sign(case)
    case["now"] = int(moment.timestamp())
print(json.dumps(cases, indent=2, ensure_ascii=False))
