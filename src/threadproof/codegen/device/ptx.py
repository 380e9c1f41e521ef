"""C text to PTX, the code that NVIDIA's driver compiles for its GPU: by the bundled clang, with a cache by content.

`-mcpu` names the oldest GPU; without it the code would be of a version that has no tables of jumps.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from threadproof.codegen.device.cuda import NoGpu
from threadproof.codegen.runs.build import COMPILE_S, zig
from threadproof.toolchain.store import ContentStore

_CODE = ContentStore("gpu", ".ptx", 0.1)
_FLAGS = (
    "-target", "nvptx64-cuda", "-mcpu=sm_70", "-S", "-O2", "-x", "c", "-std=gnu11", "-w", "-fno-sanitize=all",
    "-fno-stack-protector", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-fno-math-errno", "-g0",
)  # fmt: skip
_FROM_OUTSIDE = re.compile(r"^\.extern \.func .*?(\w+)$", re.MULTILINE)


def compiled(text: str) -> bytes:
    """PTX. Raises NoGpu if the text needs a library, which a GPU has none of."""
    digest = hashlib.sha256("\0".join((*_FLAGS, text)).encode()).hexdigest()
    known = _CODE.read(digest)
    if known is None:
        made = _compile(text)
        with suppress(OSError):
            _CODE.put(digest, made.encode())
    else:
        made = known.decode()
    outside = _FROM_OUTSIDE.findall(made)
    if outside:
        raise NoGpu(f"the program needs what no GPU has: {', '.join(sorted(set(outside)))}")
    return made.encode()


def _compile(text: str) -> str:
    with tempfile.TemporaryDirectory(prefix="threadproof-") as scratch:
        folder = Path(scratch)
        (folder / "machine.c").write_text(text, encoding="utf-8")
        zig(folder, COMPILE_S, "cc", *_FLAGS, "machine.c", "-o", "machine.ptx")
        return (folder / "machine.ptx").read_text(encoding="utf-8")
