"""A training environment with PettingZoo's parallel API.

With `pettingzoo` installed, `BoutEnv` is a `ParallelEnv` with `gymnasium` spaces and `numpy`
arrays. Without it, the class has lists instead of arrays and no spaces.
"""

import importlib
import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from .actions import Actions, Mask
from .engine.chance import Dice
from .engine.fight import MIN_SEATS, Fight, start_fight
from .engine.grid import load_grid
from .engine.maps import MAP_NAMES
from .engine.observation import observe
from .engine.rules import RULES, Rules
from .engine.shapes import Observation, Turn
from .engine.step import step
from .engine.words import FIGHTER_IDS
from .features import PLANES, WINDOW, Features
from .picture import picture
from .turns import parse_turn


def _module(name: str) -> Any:
    """Returns an optional module, None if it is missing."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


if TYPE_CHECKING:

    class _ParallelEnv:
        """Classes that need PettingZoo."""
else:
    _ParallelEnv = getattr(_module("pettingzoo"), "ParallelEnv", object)

_numpy: Final = _module("numpy")

Action = Sequence[int] | Turn | None
"""A pair of numbers (see `Actions`), a turn, or None to wait."""


class BoutEnv(_ParallelEnv):
    """Plays matches one after the other. The agents are the fighters: "A", "B" and so on.

    An observation is `{"vector": ..., "planes": ...}`, see `Features`. `infos` has for
    each agent its `message`, the protocol's observation, and an `action_mask`, the pair
    of masks for its action. The reward is 1 for the winner and -1 for a loser when the match is
    over or the agent falls, plus `hp_reward` per full life that an agent has gained on
    the others in a tick. The tick limit is a rule of the match: nothing is truncated.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "bout_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": True,
    }

    def __init__(
        self,
        maps: Sequence[str] = MAP_NAMES,
        seats: int = MIN_SEATS,
        *,
        hp_reward: float = 0.0,
        render_mode: str | None = None,
        rules: Rules = RULES,
    ) -> None:
        self.maps = tuple(maps)
        self.render_mode = render_mode
        self.possible_agents: list[str] = list(FIGHTER_IDS[:seats])
        self.agents: list[str] = []
        self.fight: Fight | None = None
        """The current state without hidden information, for planners and tests."""
        self._hp_reward = hp_reward
        self._rules = rules
        self._dice = Dice(secrets.randbits(32))
        self._coders: dict[str, tuple[Features, Actions]] = {}
        self._messages: dict[str, Observation] = {}
        self._spaces: dict[str, Any] = {}

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Starts a match. `seed` makes this one and all that follow reproducible.

        `options["map"]` names the map; by default it is random. Returns observations and infos.
        """
        if seed is not None:
            self._dice = Dice(seed)
        drawn = self.maps[self._dice.draw() % len(self.maps)]
        name = (options or {}).get("map", drawn)
        seats = len(self.possible_agents)
        self.fight = start_fight(name, self._dice.draw(), seats, self._rules)
        self.agents = [*self.possible_agents]
        return self._look(self.fight)

    def step(
        self, actions: Mapping[str, Action]
    ) -> tuple[
        dict[str, Any],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Plays a tick. Agents without an action wait.

        Returns observations, rewards, terminations, truncations and infos of all previous
        agents. Raises RuntimeError before `reset` and after the end.
        """
        fight = self.fight
        if fight is None or not self.agents:
            raise RuntimeError("there is no fight on: call reset")
        before = [fighter.hp for fighter in fight.fighters]
        step(fight, [self._turn(agent, actions.get(agent)) for agent in self.possible_agents])
        rewards = {agent: self._reward(fight, agent, before) for agent in self.agents}
        is_over = fight.outcome is not None
        ended = {agent: is_over or not self._lives(fight, agent) for agent in self.agents}
        observations, infos = self._look(fight)
        truncations = dict.fromkeys(self.agents, False)
        self.agents = [agent for agent in self.agents if not ended[agent]]
        return observations, rewards, ended, truncations, infos

    def render(self) -> str | None:
        """Renders the map as text: returned with render mode `ansi`, printed with `human`."""
        if self.fight is None or self.render_mode is None:
            return None
        text = picture(self.fight)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Ends the running match."""
        self.fight = None
        self.agents = []

    def observation_space(self, agent: str) -> Any:
        """Returns the observation space, the same for all agents. Needs gymnasium."""
        if "observation" not in self._spaces:
            spaces = _spaces_module()
            features, _ = self._coder(self.maps[0])
            shape = (len(PLANES), WINDOW, WINDOW)
            self._spaces["observation"] = spaces.Dict(
                {
                    "vector": spaces.Box(-1.0, 1.0, (features.vector_length,)),
                    "planes": spaces.Box(0.0, 1.0, shape),
                }
            )
        return self._spaces["observation"]

    def action_space(self, agent: str) -> Any:
        """Returns the action space, the same for all agents. Needs gymnasium."""
        if "action" not in self._spaces:
            _, actions = self._coder(self.maps[0])
            sizes = [actions.movement_count, actions.attack_count]
            self._spaces["action"] = _spaces_module().MultiDiscrete(sizes)
        return self._spaces["action"]

    def _coder(self, name: str) -> tuple[Features, Actions]:
        if name not in self._coders:
            grid, others = load_grid(name), len(self.possible_agents) - 1
            self._coders[name] = (
                Features(grid, self._rules, others),
                Actions(grid, self._rules),
            )
        return self._coders[name]

    def _turn(self, agent: str, action: Action) -> Turn | None:
        if agent not in self.agents or action is None:
            return None
        if isinstance(action, Mapping):
            return parse_turn(action)
        assert self.fight is not None, "agents are there in a fight alone"
        _, actions = self._coder(self.fight.grid.name)
        return actions.turn(self._messages[agent], action)

    def _look(self, fight: Fight) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Returns observations and infos of all agents."""
        features, actions = self._coder(fight.grid.name)
        observations, infos = {}, {}
        for agent in self.agents:
            message = observe(fight, self.possible_agents.index(agent))
            self._messages[agent] = message
            observations[agent] = _arrays(features.vector(message), features.planes(message))
            mask = _mask_arrays(actions.masks(message))
            infos[agent] = {"message": message, "action_mask": mask}
        return observations, infos

    def _lives(self, fight: Fight, agent: str) -> bool:
        return fight.fighters[self.possible_agents.index(agent)].alive

    def _reward(self, fight: Fight, agent: str, before: Sequence[int]) -> float:
        seat = self.possible_agents.index(agent)
        gains = [fighter.hp - hp for fighter, hp in zip(fight.fighters, before, strict=True)]
        own = gains.pop(seat)
        reward = self._hp_reward * (own - sum(gains) / len(gains)) / fight.rules.hp
        if fight.outcome is None:
            return reward if fight.fighters[seat].alive else reward - 1
        if fight.outcome.winner is None:
            return reward
        return reward + (1 if fight.outcome.winner == seat else -1)


def _spaces_module() -> Any:
    spaces = _module("gymnasium.spaces")
    if spaces is None:
        raise ImportError("spaces need the package gymnasium: pip install 'bout-sim[pettingzoo]'")
    return spaces


def _arrays(vector: list[float], planes: list[float]) -> dict[str, Any]:
    if _numpy is not None:
        grown = _numpy.array(planes, dtype=_numpy.float32)
        return {
            "vector": _numpy.array(vector, dtype=_numpy.float32),
            "planes": grown.reshape(len(PLANES), WINDOW, WINDOW),
        }
    rows = [planes[at : at + WINDOW] for at in range(0, len(planes), WINDOW)]
    return {
        "vector": vector,
        "planes": [rows[at : at + WINDOW] for at in range(0, len(rows), WINDOW)],
    }


def _mask_arrays(masks: tuple[Mask, Mask]) -> tuple[Any, Any]:
    if _numpy is None:
        return masks
    movement, attack = (_numpy.array(mask, dtype=_numpy.int8) for mask in masks)
    return movement, attack
