"""tcgen05-lsp-server answers a client on stdin and stdout."""

from __future__ import annotations

import json
import subprocess
import sys

BAD = 'func.func @f() { %0 = "tcgen05.nosuch"() : () -> i32 return }'


def message(**content: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def parse(stream: bytes) -> list[dict]:
    """The messages of a stream."""
    messages = []
    while stream:
        header, _, rest = stream.partition(b"\r\n\r\n")
        length = int(header.rpartition(b": ")[2])
        messages.append(json.loads(rest[:length]))
        stream = rest[length:]
    return messages


def test_the_server_knows_the_dialect():
    document = {"uri": "file:///f.mlir", "languageId": "mlir", "version": 1, "text": BAD}
    requests = [
        message(
            id=0,
            method="initialize",
            params={"processId": None, "rootUri": None, "capabilities": {}, "trace": "off"},
        ),
        message(method="initialized", params={}),
        message(method="textDocument/didOpen", params={"textDocument": document}),
        message(id=1, method="shutdown", params=None),
        message(method="exit", params=None),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "tcgen05_mlir.tools.lsp", "--log=error"],
        input=b"".join(requests),
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0
    published = [
        m for m in parse(done.stdout) if m.get("method", "").endswith("/publishDiagnostics")
    ]
    found = [d["message"] for m in published for d in m["params"]["diagnostics"]]
    assert found == [
        "unregistered operation 'tcgen05.nosuch' found in dialect ('tcgen05') that "
        "does not allow unknown operations"
    ]
