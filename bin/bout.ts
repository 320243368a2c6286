// Runs the `bout` command in a checkout. `bout.js` checks the Node version first.

import { enableCompileCache } from "node:module";
import { join } from "node:path";

import { AUTHOR_COMMANDS } from "#tools/cli/author-commands.ts";
import { runCli } from "#tools/cli/main.ts";
import { OPERATOR_COMMANDS } from "#tools/cli/operator-commands.ts";

// The build fills this cache. Threads and sample bots inherit the variable. Short commands start in
// half the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../dist/compiled");
enableCompileCache(process.env.NODE_COMPILE_CACHE);

await runCli(
  {
    groups: [
      { title: "For bot authors", commands: AUTHOR_COMMANDS },
      { title: "For operators", commands: OPERATOR_COMMANDS },
    ],
    version: async () => {
      const { RELEASE } = await import("#server/composition/release.ts");
      const { versionLine } = await import("#server/composition/versions.ts");
      return versionLine(RELEASE);
    },
  },
  process.argv.slice(2),
);
