#!/usr/bin/env python3
"""Makes presigned-posts.json: what botocore's generate_presigned_post returns, with time held still.

Needs botocore (pip install botocore). Run it as: ./make-presigned-posts.py > presigned-posts.json
"""

import datetime
import json

import botocore.auth
import botocore.config
import botocore.session
import botocore.signers

ACCESS_KEY = "AKIAIOSFODNN7EXAMPLE"
SECRET_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

CASES = [
    {"name": "bare", "now": "2026-01-02T03:04:05", "key": "snapshots/s-1"},
    {
        "name": "size and type",
        "now": "2024-02-29T23:59:59",
        "key": "snapshots/ä b/“c”.png",
        "fields": {"Content-Type": "image/png"},
        "conditions": [["content-length-range", 10, 1048576], {"Content-Type": "image/png"}],
    },
    {
        "name": "prefixes",
        "now": "2015-12-29T00:00:00",
        "key": "user/user1/${filename}",
        "fields": {"acl": "public-read", "x-amz-meta-tag": 'a "quoted" \\ tag'},
        "conditions": [
            ["eq", "$acl", "public-read"],
            ["starts-with", "$x-amz-meta-tag", ""],
        ],
    },
]


def answer(case):
    now = datetime.datetime.fromisoformat(case["now"])

    def still(remove_tzinfo=True):
        return now if remove_tzinfo else now.replace(tzinfo=datetime.timezone.utc)

    botocore.auth.get_current_datetime = still
    botocore.signers.get_current_datetime = still
    session = botocore.session.Session()
    session.set_credentials(ACCESS_KEY, SECRET_KEY)
    client = session.create_client(
        "s3",
        region_name="us-east-1",
        endpoint_url="http://127.0.0.1:9",
        config=botocore.config.Config(signature_version="s3v4"),
    )
    return client.generate_presigned_post(
        Bucket="sandbox",
        Key=case["key"],
        Fields=dict(case.get("fields", {})),
        Conditions=list(case.get("conditions", [])),
        ExpiresIn=3600,
    )


print(json.dumps([{**case, "answer": answer(case)} for case in CASES], indent=2, ensure_ascii=False))
