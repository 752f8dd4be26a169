"""Media types of parts of files: their bytes are sent as they are."""

import schemathesis


@schemathesis.serializer("application/offset+octet-stream", "application/partial-upload")
def serialize_bytes(ctx, value):
    return value if isinstance(value, bytes) else str(value).encode()
