"""Proofs as JSON and back: the classes of `core.proofs` are the format (docs/howto/proofs.md).

Every field is there under its own name, tuples are lists, enumerations their values; formulas are SMT-LIB text, as in
the classes. Reading is strict: a field too many, one that is missing or one of another type is refused, so that what is
checked is exactly what the file says.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from threadproof.core import proofs
from threadproof.core.errors import InputError
from threadproof.core.proofs import Proof

KINDS: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        proofs.CompleteExploration,
        proofs.CompleteUnwinding,
        proofs.SequentializedProof,
        proofs.RaceProof,
        proofs.LabelledTree,
        proofs.ReducedProduct,
        proofs.ReducedProducts,
        proofs.ThreadModularProof,
        proofs.LockOrderProof,
    )
}


def proof_to_json(proof: Proof) -> dict[str, Any]:
    return {"kind": type(proof).__name__} | cast(dict[str, Any], _plain(proof))


def proof_from_json(data: Any) -> Proof:
    """Raises InputError where the data is no proof."""
    if not isinstance(data, dict):
        raise InputError("the proof is no object")
    given = dict(cast(dict[str, Any], data))
    kind = KINDS.get(str(given.pop("kind", "")))
    if kind is None:
        raise InputError(f"no kind of proof: {cast(dict[str, Any], data).get('kind')}")
    return cast(Proof, _typed(kind, given, kind.__name__))


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        inner = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        return inner | {"kind": type(value).__name__} if type(value).__name__ in KINDS else inner
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in cast(Mapping[Any, Any], value).items()}
    if isinstance(value, tuple | list):
        return [_plain(one) for one in cast(list[Any], value)]
    return value


def _typed(wanted: Any, value: Any, where: str) -> Any:
    """The value as one of the type `wanted`."""
    if is_dataclass(wanted) and isinstance(wanted, type):
        return _object(wanted, value, where)
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin in (Union, types.UnionType):
        return _one_of(arguments, value, where)
    if origin is tuple:
        return _tuple(arguments, value, where)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        if not isinstance(value, dict):
            raise InputError(f"{where}: no object")
        items = cast(dict[str, Any], value).items()
        return {_typed(arguments[0], key, where): _typed(arguments[1], one, where) for key, one in items}
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        try:
            return wanted(value)
        except ValueError:
            raise InputError(f"{where}: {value!r} is none of its values") from None
    if wanted is type(None) or wanted is None:
        if value is not None:
            raise InputError(f"{where}: should be null")
        return None
    if type(value) is not wanted:
        raise InputError(f"{where}: {value!r} is no {getattr(cast(object, wanted), '__name__', 'such value')}")
    return value


def _object(wanted: type[Any], value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise InputError(f"{where}: no object")
    given = dict(cast(dict[str, Any], value))
    if wanted.__name__ in KINDS and given.pop("kind", wanted.__name__) != wanted.__name__:
        raise InputError(f"{where}: another kind of proof")
    hints = get_type_hints(wanted)
    names = [field.name for field in fields(wanted)]
    if set(given) != set(names):
        odd = sorted(set(given) ^ set(names))
        raise InputError(f"{where}: {odd[0]} is missing, or too many")
    return wanted(**{name: _typed(hints[name], given[name], f"{where}.{name}") for name in names})


def _one_of(choices: tuple[Any, ...], value: Any, where: str) -> Any:
    said = cast(dict[str, Any], value).get("kind") if isinstance(value, dict) else None
    for choice in choices:
        if said is not None and getattr(choice, "__name__", "") != said:
            continue
        try:
            return _typed(choice, value, where)
        except InputError:
            continue
    raise InputError(f"{where}: of none of the types it can have")


def _tuple(arguments: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise InputError(f"{where}: no list")
    several = cast(list[Any], value)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_typed(arguments[0], one, f"{where}[{index}]") for index, one in enumerate(several))
    if len(several) != len(arguments):
        raise InputError(f"{where}: {len(several)} values instead of {len(arguments)}")
    return tuple(
        _typed(kind, one, f"{where}[{i}]") for i, (kind, one) in enumerate(zip(arguments, several, strict=True))
    )
