// T34, T28, T29: a server under a crowd of bots is killed fifty times, sometimes while it opens its
// data, and checked each time against what the bots were told.
// node bench/faults/restarts.ts [KILLS] [BOTS]

import { surviveRestarts } from "#testing/harness/restarts.ts";
import { temporaryFolder } from "#testing/harness/test-server.ts";

const kills = Number(process.argv[2] ?? 50);
const crowd = Number(process.argv[3] ?? 30);

const folder = await temporaryFolder();
try {
  await surviveRestarts(folder.path, kills, crowd, (report) => {
    const { whileOpening, amidMatches, ends, stored } = report;
    console.log(
      `${report.kills} kills (${whileOpening} while opening, ${amidMatches} amid matches): ` +
        `${ends} ends told, ${stored} matches stored, none lost or doubled`,
    );
  });
  console.log("ratings equal a refit, every replay is whole, the data adds up");
} finally {
  await folder.remove();
}
process.exit();
