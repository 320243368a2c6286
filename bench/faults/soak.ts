// T01: 640 bots, 320 matches, an hour. No lost result, no time-out that the server caused, no
// growth of memory. node bench/faults/soak.ts [MINUTES]

import { ask, pause, withSwarm } from "../sockets/children.ts";
import type { Crew, Usage } from "../sockets/children.ts";
import type { SwarmReport } from "../sockets/swarm.ts";

const BOTS = 640;
const THINK_MS = 150;
const MINUTE_MS = 60_000;
const MEGABYTE = 2 ** 20;

const minutes = Number(process.argv[2] ?? 60);

async function stored(baseUrl: string): Promise<number> {
  let count = 0;
  let before = "";
  for (;;) {
    const response = await fetch(`${baseUrl}/api/matches?limit=500${before}`);
    if (!response.ok) throw new Error(`the list of matches answered ${response.status}`);
    const page = (await response.json()) as { id: string; voided: boolean }[];
    count += page.length;
    const last = page.at(-1);
    if (last === undefined) return count;
    before = `&before=${last.id}`;
  }
}

async function soak({ server, swarm, baseUrl }: Crew): Promise<void> {
  let ends = 0;
  let timeouts = 0;
  for (let minute = 1; minute <= minutes; minute += 1) {
    await pause(MINUTE_MS);
    const { rss = 0, running } = await ask<Usage>(server, "usage");
    const { matches, idles, observations } = await ask<SwarmReport>(swarm, "report");
    ends += matches;
    timeouts += idles.timeout ?? 0;
    console.log(
      `minute ${minute}: ${ends} ends heard, ${running} matches at once, ` +
        `${(observations / 120).toFixed(0)} match ticks a second, ` +
        `failed ticks ${JSON.stringify(idles)}, ${(rss / MEGABYTE).toFixed(0)} MiB`,
    );
  }
  const rows = await stored(baseUrl);
  console.log(`${rows} matches stored, ${ends} ends heard by both sides (at most twice the rows)`);
  console.log(`time-outs charged: ${timeouts}`);
  if (ends > 2 * rows || timeouts > 0) process.exitCode = 1;
}

await withSwarm("bout-server", { bots: BOTS, thinkMs: THINK_MS }, soak);
