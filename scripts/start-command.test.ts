import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { startCommand } from "./start-command.ts";

test("the demo and the documented systemd unit start the server with the same options as npm start", () => {
  const { env, nodeFlags } = startCommand();
  const words = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
    scripts: Record<string, string>;
  };
  assert.equal(
    scripts.demo,
    ["exec env", ...words, "node", ...nodeFlags, "bin/bout.ts demo"].join(" "),
  );
  const unit = readFileSync("deploy/bout.service", "utf8");
  for (const name of Object.keys(env)) assert.ok(unit.includes(`Environment=${name}=`), name);
  assert.ok(unit.includes(`/node ${nodeFlags.join(" ")} bin/bout.ts serve`));
});
