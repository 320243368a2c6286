// Upgrades a database file and kills itself at a given step, as a power failure would.
// Arguments: the file and the number of steps before the kill.
import { flushCompileCache } from "node:module";

import { migrate } from "#data/migrations/migrations.ts";
import { fileUpgradeObserver } from "#data/migrations/upgrade.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";

import { EXTENDED_MIGRATIONS } from "./extended-migrations.ts";
import { faultyDialect } from "./faulty-dialect.ts";
import { UPGRADED_AT } from "./upgrade-fixture.ts";

const [path = "", lifetimeSteps = ""] = process.argv.slice(2);
let steps = 0;

// Many of these processes run in sequence. A killed process wouldn't write its compile cache.
flushCompileCache();

function countStep(): void {
  if (++steps > Number(lifetimeSteps)) process.kill(process.pid, "SIGKILL");
}

const backend = sqliteBackend(faultyDialect(sqliteDialect(path, "write"), { step: countStep }));
const observer = fileUpgradeObserver(backend.database, path, { keepsCopy: true, log: countStep });
await migrate(backend, UPGRADED_AT, EXTENDED_MIGRATIONS, observer);
await backend.database.destroy();
