"""What a witness says about the verification task and about who made it."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from threadproof import __version__
from threadproof.core.property import Property

PRODUCER = "Threadproof"
_SHA256 = re.compile(r"[0-9a-f]{64}")

_FORMULAS = {
    Property.UNREACH_CALL: ("G ! call(reach_error())",),
    Property.NO_DATA_RACE: ("G ! data-race",),
    Property.NO_DEADLOCK: ("G ! deadlock",),  # ours: SV-COMP has no such property
    Property.NO_OVERFLOW: ("G ! overflow",),
    Property.VALID_MEMSAFETY: ("G valid-free", "G valid-deref", "G valid-memtrack"),
    Property.VALID_MEMCLEANUP: ("G valid-memcleanup",),
}


def specification(prop: Property) -> str:
    """In SV-COMP's notation."""
    return "\n".join(f"CHECK( init(main()), LTL({formula}) )" for formula in _FORMULAS[prop])


def sha256(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def is_about_others(hashes: Iterable[str], files: Sequence[str]) -> bool:
    """Whether a witness with these hashes says that it is about other files. Where it has none, it does not say."""
    said = {one.lower() for one in hashes if _SHA256.fullmatch(one.lower())}
    return bool(said) and not said >= {sha256(file) for file in files}


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class WitnessTask:
    files: tuple[str, ...]
    property: Property
    data_model: str  # ILP32 or LP64
    created: str = field(default_factory=_now)
    uuid: str = field(default_factory=lambda: str(uuid.uuid4()))
    version: str = __version__
