"""Uploads a file with tuspy: tuspy.py ENDPOINT TOKEN FILE NAME STORAGE [STOP_AT]

The address of the upload is kept in STORAGE, so that a later call resumes it. STOP_AT is the offset at which this call ends.
"""

import sys

from tusclient.client import TusClient
from tusclient.storage.filestorage import FileStorage

endpoint, token, path, name, storage, *stop_at = sys.argv[1:]
client = TusClient(endpoint, headers={"X-UploadToken": token})
uploader = client.uploader(
    path,
    chunk_size=400_000,
    metadata={"filename": name},
    upload_checksum=True,
    store_url=True,
    url_storage=FileStorage(storage),
)
print(uploader.offset)
uploader.upload(*(int(offset) for offset in stop_at))
print(uploader.offset)
