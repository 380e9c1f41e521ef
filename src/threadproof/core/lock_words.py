"""Sentences in which proofs about locks say what a thread has done about a condition: engine and checker compare them.

A *flag* is a global variable that says whether threads still have to wait on a condition variable.
"""

from __future__ import annotations


def seen_unset(flag: str, lock: str) -> str:
    """Since then the thread has held the lock."""
    return f"read {flag} as 0 under {lock}"


def waiting_for(flag: str, lock: str, condition: str) -> str:
    """It began to wait in one go with giving back the lock."""
    return f"waits on {condition}, as {flag} was 0 under {lock}"


def has_set(flag: str) -> str:
    return f"has set {flag}"


def has_told(flag: str, condition: str) -> str:
    """After that, it woke all who waited."""
    return f"has told {condition} that {flag} is set"


def end_of(template: str) -> str:
    """What threads have for as long as they live, and others wait for in joins."""
    return f"the end of {template}"


def address_variable(number: int) -> str:
    return f"the lock {number}"
