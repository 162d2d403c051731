#!/usr/bin/env python3
"""Makes presigned-urls.json: what botocore's generate_presigned_url returns for PUTs, with time held still.

Needs botocore (pip install botocore). Run it as: ./make-presigned-urls.py > presigned-urls.json
"""

import datetime
import json

import botocore.auth
import botocore.config
import botocore.session

ACCESS_KEY = "AKIAIOSFODNN7EXAMPLE"
SECRET_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

CASES = [
    {"name": "bare", "now": "2026-01-02T03:04:05", "key": "snapshots/s-1", "parameters": {}, "headers": {}},
    {
        "name": "type, metadata and digest",
        "now": "2024-02-29T23:59:59",
        "key": "snapshots/ä b/“c”+~.png",
        "parameters": {"ContentType": "image/png", "Metadata": {"tag": "a  b"}, "ContentMD5": "XUFAKrxLKna5cZ2REBfFkg=="},
        "headers": {"content-type": "image/png", "x-amz-meta-tag": "a  b", "content-md5": "XUFAKrxLKna5cZ2REBfFkg=="},
    },
]


def answer(case):
    now = datetime.datetime.fromisoformat(case["now"])
    botocore.auth.get_current_datetime = lambda remove_tzinfo=True: now
    session = botocore.session.Session()
    session.set_credentials(ACCESS_KEY, SECRET_KEY)
    client = session.create_client(
        "s3",
        region_name="us-east-1",
        endpoint_url="http://127.0.0.1:9",
        config=botocore.config.Config(signature_version="s3v4"),
    )
    return client.generate_presigned_url(
        "put_object", Params={"Bucket": "sandbox", "Key": case["key"], **case["parameters"]}, ExpiresIn=3600
    )


print(json.dumps([{**case, "answer": answer(case)} for case in CASES], indent=2, ensure_ascii=False))
