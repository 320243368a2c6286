import { migrate } from "#data/migrations/migrations.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";

// A process that migrates a database file and kills itself at a given step, as a power cut would.
// Arguments: the file, and how many steps it lives.
import { faultyDialect } from "./faulty-dialect.ts";
import { LONGER_HISTORY } from "./longer-history.ts";

const [path = "", lifetime = ""] = process.argv.slice(2);
let steps = 0;

const dialect = faultyDialect(sqliteDialect(path, "write"), {
  step() {
    if (++steps > Number(lifetime)) process.kill(process.pid, "SIGKILL");
  },
});
const backend = sqliteBackend(dialect);
await migrate(backend, undefined, LONGER_HISTORY);
await backend.database.destroy();
