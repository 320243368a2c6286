import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { parseReplay } from "#core/replay/parse-replay.ts";
import { PROJECT_ROOT } from "#server/composition/project-paths.ts";

import { describeFailedTurnsIn } from "./match-transcript.ts";
import { simulateReplay } from "./simulated-replay.ts";
import { timelineLane } from "./timeline.ts";

const GOLDEN_FOLDER = join(PROJECT_ROOT, "src/testing/fixtures/golden");

function simulateGolden(name: string) {
  const replay = parseReplay(readFileSync(join(GOLDEN_FOLDER, `${name}.jsonl`), "utf8"));
  assert.ok(!("error" in replay));
  return simulateReplay(replay);
}

test("marks each fighter's hits, pickups, rejected actions and failed turns on the timeline", () => {
  const simulation = simulateGolden("keep");
  for (const seat of [0, 1]) {
    const { id } = simulation.replay.header.fighters[seat]!;
    const lane = timelineLane(simulation, seat);
    const ticksOf = (type: string) =>
      new Set(
        simulation.ticks
          .filter(({ events }) =>
            events.some(
              (event) =>
                event.type === type &&
                "by" in event &&
                event.by === id &&
                !("target" in event && event.target === id),
            ),
          )
          .map(({ tick }) => tick + 1),
      );
    assert.ok(lane.hit.length > 0);
    for (const mark of ["hit", "pickup", "rejected"] as const)
      assert.deepEqual(new Set(lane[mark]), ticksOf(mark), mark);
  }
  const disqualified = simulateGolden("disqualification");
  const idle = [0, 1].flatMap((seat) => timelineLane(disqualified, seat).idle);
  const failures = disqualified.ticks.flatMap((tick) =>
    describeFailedTurnsIn(disqualified, {}, tick),
  );
  assert.ok(failures.length > 0);
  assert.equal(idle.length, failures.length);
});
