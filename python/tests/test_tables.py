"""Random numbers, hash and map tables match the values in the rules."""

import unittest

from bout_sim.engine.chance import Dice
from bout_sim.engine.fight import start_fight
from bout_sim.engine.grid import Grid, load_grid
from bout_sim.engine.maps import MAP_NAMES, ladder_rules_hash
from bout_sim.engine.murmur import hex8, murmur3
from bout_sim.engine.state_hash import state_hash
from bout_sim.engine.terrain import map_problem
from bout_sim.engine.words import DIRECTION_CODES

DRAWS = {
    1: [2693262067, 11749833, 2265367787, 4213581821, 4159151403],
    123456789: [1107202814, 4169434471, 3372958138],
}

# Outer radius, floor tiles, steps, pairs that see each other, tiles of all bolt rays, and the
# bounces that those have made on their last tile.
CHECK_SUMS = {
    "courtyard": (7, 161, 1008, 20797, 9120, 1364),
    "pillars": (8, 179, 1012, 14069, 6984, 1044),
    "halls": (9, 183, 1000, 9793, 5792, 1026),
    "lanes": (10, 179, 996, 12675, 6518, 1156),
    "keep": (8, 199, 1200, 13575, 7952, 1418),
    "trench": (9, 159, 800, 18837, 9358, 1322),
    "bumpers": (8, 203, 1256, 17303, 8684, 1402),
    "pinwheel": (7, 145, 784, 10137, 5212, 944),
    "cage": (6, 109, 592, 8569, 4620, 792),
}

# A star for each bounce so far.
RAYS = {
    ("courtyard", 1, 7, "ne"): "2,6 3,5 4,4 5,5* 6,6* 7,7* 8,8* 9,9* 10,10* 11,9** 12,8** 13,7**",
    ("courtyard", 7, 9, "s"): "7,10 7,11 7,12 7,13 7,12* 7,11* 7,10*",
    ("courtyard", 3, 4, "ne"): "",
    ("bumpers", 8, 8, "nw"): "7,7 6,6 7,7*",
    ("bumpers", 9, 2, "sw"): "8,3 7,4 8,5* 9,6* 10,7* 11,8* 10,9** 9,10** 8,11** 7,12**",
    ("pinwheel", 7, 7, "ne"): "8,6 9,5 10,6* 11,7* 12,8* 13,7**",
}

RANGE, BOUNCES = 12, 2


def check_sums(grid: Grid) -> tuple[int, ...]:
    floor = [tile for tile, is_floor in enumerate(grid.is_floor) if is_floor]
    rays = [grid.ray(tile, way, RANGE, BOUNCES) for tile in floor for way in range(8)]
    return (
        grid.outer_radius,
        len(floor),
        sum(len(moves) for moves in grid.moves),
        sum(map(sum, grid.sight)),
        sum(len(ray.tiles) for ray in rays),
        sum(ray.bounces[-1] for ray in rays if ray.bounces),
    )


class Tables(unittest.TestCase):
    def test_chance_draws_what_the_rules_say(self) -> None:
        for seed, draws in DRAWS.items():
            dice = Dice(seed)
            self.assertEqual([dice.draw() for _ in draws], draws)

    def test_the_hash_is_the_one_of_the_rules(self) -> None:
        self.assertEqual(hex8(murmur3([0x74736574])), "ba6bd213")
        self.assertEqual(hex8(murmur3([])), "00000000")
        self.assertEqual(hex8(state_hash(start_fight("courtyard", 1))), "acf4f329")

    def test_maps_and_numbers_are_those_of_the_ladder(self) -> None:
        expected = "c35b0d546327210d3c206303df89cd4642bb26fcd2533e15c233aa38b98ad10f"
        self.assertEqual(ladder_rules_hash(), expected)

    def test_every_map_has_its_check_sums(self) -> None:
        self.assertEqual(tuple(CHECK_SUMS), MAP_NAMES)
        for name, sums in CHECK_SUMS.items():
            with self.subTest(name):
                self.assertEqual(check_sums(load_grid(name)), sums)
                self.assertIsNone(map_problem(load_grid(name).rows))

    def test_rays_fly_and_bounce_as_in_the_examples(self) -> None:
        for (name, x, y, way), expected in RAYS.items():
            with self.subTest(f"{name} {x},{y} {way}"):
                grid = load_grid(name)
                ray = grid.ray(grid.tile_at(x, y), DIRECTION_CODES[way], RANGE, BOUNCES)
                told = [
                    f"{grid.x[tile]},{grid.y[tile]}{'*' * bounces}"
                    for tile, bounces in zip(ray.tiles, ray.bounces, strict=True)
                ]
                self.assertEqual(" ".join(told), expected)

    def test_sight_is_mutual_and_every_tile_sees_itself(self) -> None:
        for name in MAP_NAMES:
            sight = load_grid(name).sight
            for a, row in enumerate(sight):
                self.assertEqual(row[a], int(load_grid(name).is_floor[a]))
                self.assertTrue(all(sight[b][a] == seen for b, seen in enumerate(row)))

    def test_rows_that_are_no_map_are_told_apart(self) -> None:
        rows = load_grid("cage").rows
        broken = {
            "differ in length": [*rows[:-1], "#"],
            "odd": [row + "#" for row in rows],
            "31 tiles": ["#" * 33] * 33,
            "unknown tile": [rows[0], "#x" + rows[1][2:], *rows[2:]],
            "border": ["." * len(rows[0]), *rows[1:]],
            "180": [rows[0], "#1#" + rows[1][3:], *rows[2:]],
            "pads": [row.replace("+", ".") for row in rows],
            "spawn": [row.replace("2", ".") for row in rows],
        }
        for words, wrong in broken.items():
            self.assertRegex(map_problem(wrong) or "", words)
        with self.assertRaisesRegex(ValueError, "no map 'nowhere'"):
            load_grid("nowhere")


if __name__ == "__main__":
    unittest.main()
