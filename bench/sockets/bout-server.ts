// The ladder itself as a child of the bench: it tells what CPU it has used, all threads counted.

import { serveLadder } from "#testing/harness/test-server.ts";

const [data = ""] = process.argv.slice(2);
const server = await serveLadder(data, ["--drain-timeout", "0"]);

process.on("message", (question) => {
  if (question === "usage")
    process.send?.({
      cpu: process.cpuUsage(),
      running: server.arena.capacity().running,
      rss: process.memoryUsage.rss(),
    });
});
process.send?.({ baseUrl: server.baseUrl });
process.on("SIGTERM", () => process.exit());
