// T34, T28, T29: kills a server with many bots fifty times, sometimes while it is opening its data.
// After each kill, compares the stored results with those that the bots received.
// node bench/faults/restarts.ts [KILLS] [BOTS]

import { surviveRestarts } from "#testing/harness/crash-restarts.ts";
import { createTemporaryFolder } from "#testing/harness/test-server.ts";

const killCount = Number(process.argv[2] ?? 50);
const botCount = Number(process.argv[3] ?? 30);

const folder = await createTemporaryFolder();
try {
  await surviveRestarts(folder.path, killCount, botCount, (report) => {
    const { whileOpening, duringMatches, matchEnds, stored } = report;
    console.log(
      `${report.kills} kills (${whileOpening} while opening, ${duringMatches} during matches): ` +
        `${matchEnds} results received, ${stored} matches stored, none lost or duplicated`,
    );
  });
  console.log("ratings equal a refit, every replay is intact, the data is consistent");
} finally {
  await folder.remove();
}
process.exit();
