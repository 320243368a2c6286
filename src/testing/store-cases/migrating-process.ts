// A process that upgrades a database file and kills itself at a given step, like a power cut.
// Arguments: the file, and the number of steps until then.
import { flushCompileCache } from "node:module";

import { migrate } from "#data/migrations/migrations.ts";
import { fileWatch } from "#data/migrations/upgrade.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";

import { faultyDialect } from "./faulty-dialect.ts";
import { LONGER_HISTORY } from "./longer-history.ts";
import { UPGRADED } from "./upgrade-fixture.ts";

const [path = "", lifetime = ""] = process.argv.slice(2);
let steps = 0;

// Many of these follow each other, and a killed process would never write what it has compiled.
flushCompileCache();

function step(): void {
  if (++steps > Number(lifetime)) process.kill(process.pid, "SIGKILL");
}

const backend = sqliteBackend(faultyDialect(sqliteDialect(path, "write"), { step }));
const watch = fileWatch(backend.database, path, { keepsCopy: true, tell: step });
await migrate(backend, UPGRADED, LONGER_HISTORY, watch);
await backend.database.destroy();
