"""Phase 12: the end and the winner (rules.md#the-end)."""

from collections.abc import Callable, Iterable

from .fight import Fight, Outcome


def end_check(fight: Fight) -> None:
    """Sets the outcome once at most one fighter is alive, or at the tick limit."""
    living = [fighter.seat for fighter in fight.fighters if fighter.alive]
    if not living:
        fight.outcome = Outcome(_break_tie(fight), "last_standing")
    elif len(living) == 1:
        fight.outcome = Outcome(living[0], "last_standing")
    elif fight.tick >= fight.rules.max_ticks:
        fight.outcome = _outcome_at_limit(fight)


def decide_at_limit(fight: Fight) -> int | None:
    """Returns the seat that would win at the tick limit now, None for a draw."""
    return _outcome_at_limit(fight).winner


def _outcome_at_limit(fight: Fight) -> Outcome:
    healthiest = _leaders(range(len(fight.fighters)), lambda seat: fight.fighters[seat].hp)
    if len(healthiest) == 1:
        return Outcome(healthiest[0], "timeout_hp")
    best = _leaders(healthiest, lambda seat: fight.fighters[seat].dealt)
    if len(best) == 1:
        return Outcome(best[0], "timeout_damage")
    return Outcome(None, "timeout_draw")


def _break_tie(fight: Fight) -> int:
    """Returns the winner among fighters that fell together: more HP, more damage, then chance."""
    tied = _leaders(range(len(fight.fighters)), lambda seat: fight.plans[seat].start_hp)
    tied = _leaders(tied, lambda seat: fight.fighters[seat].dealt)
    return tied[0] if len(tied) == 1 else tied[fight.draw() % len(tied)]


def _leaders(seats: Iterable[int], score: Callable[[int], int]) -> list[int]:
    """Returns the seats with the highest score, in seat order."""
    scores = {seat: score(seat) for seat in seats}
    best = max(scores.values())
    return [seat for seat, points in scores.items() if points == best]
