"""The goal of a Codex session (`/goal`): what it is, since when it holds, and who has set it.

`thread_goal_updated` tells of each change, with the objective and its status. While it is active, the host lets the agent go on
by itself whenever a turn has ended: such a turn has the `turn_trigger` goal. That a goal was cleared is told nowhere; but while
one holds, no turn begins otherwise, but for that of a compaction, of which nobody says what it began for. A person who sets one
says nothing else, so it is what they ask for. The agent can set one too (`create_goal`), in its own words. Whoever has set it, to
the agent it comes as what a tool gave back (`goal_objective`), once.
"""

from __future__ import annotations

from . import Event
from .words import dict_of, mark_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MADE, GIVEN = "create_goal", "goal_objective"  # the agent's tool; how the host tells it of one
_LONGEST = 2000  # characters of an objective


def made(given: dict[str, Any], state: dict[str, Any]) -> None:
    """Remember a goal that the agent sets: it is no word of the user's."""
    state["goal_made"] = mark_of(text_of(given.get("objective")).strip())


def updated(goal: dict[str, Any], state: dict[str, Any], time: str) -> list[Event]:
    """What has become of the goal: a new one is what the user asks for, and an active one what must hold before it may stop."""
    objective, before = text_of(goal.get("objective")).strip()[:_LONGEST], dict_of(state.get("goal"))
    active = goal.get("status") == "active"
    if not objective:
        return []
    state["goal"] = {"objective": objective, "active": active}
    agents = state.pop("goal_made", "") == mark_of(text_of(goal.get("objective")).strip())
    new = objective != before.get("objective") and active and not agents
    asked = [Event("user", f"/goal {objective}", time=time)] if new else []
    return [*asked, Event("aim", objective if active else "", time=time)]


def given(objective: str, state: dict[str, Any], time: str) -> list[Event]:
    """The goal as the agent is told of it: of whom it is, the host does not say here."""
    objective = objective.strip()[:_LONGEST]
    state["goal"] = {"objective": objective, "active": True}
    return [Event("aim", objective, time=time)]


def begun(turn: dict[str, Any], state: dict[str, Any], time: str) -> list[Event]:
    """Why a turn begins: for the goal, and nobody has spoken; or for another reason, and then no goal holds any more."""
    goal, why = dict_of(state.get("goal")), turn.get("turn_attribution")
    if not isinstance(why, dict):
        return []
    for_goal = why.get("turn_trigger") == "goal"
    if not for_goal and goal.get("active") is True:
        state["goal"] = {**goal, "active": False}
        return [Event("aim", time=time)]
    if for_goal and goal and goal.get("active") is not True:  # it was only waiting for the user
        state["goal"] = {**goal, "active": True}
        return [Event("woken", time=time), Event("aim", text_of(goal.get("objective")), time=time)]
    return [Event("woken", time=time)] if for_goal else []
