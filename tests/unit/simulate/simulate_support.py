"""What tests of the simulator share."""

from __future__ import annotations

from pathlib import Path

from threadproof.simulate.commands import perform
from threadproof.simulate.session import Session

EXAMPLES = Path(__file__).parents[3] / "examples"


def do(session: Session, *commands: str) -> Session:
    """Commands that must all succeed."""
    for command in commands:
        answer = perform(session, command)
        assert isinstance(answer, Session), f"{command}: {answer}"
        session = answer
    return session


def refused(session: Session, command: str) -> str:
    answer = perform(session, command)
    assert isinstance(answer, str), f"{command} was not refused"
    return answer
