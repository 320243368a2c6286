import assert from "node:assert/strict";
import { it } from "node:test";

import { RESOURCE_SCHEMAS } from "#core/api/resource-schemas.ts";
import { accountApi } from "#testing/fixtures/account-api.ts";
import { readApiPages } from "#testing/fixtures/doc-page.ts";

type Contract = { paths: Record<string, object> };

const page = readApiPages()
  .map(({ text }) => text)
  .join("\n");

it("documents every route and every schema of the HTTP API", async () => {
  const { paths } = (await accountApi().app.inject("/openapi.json")).json<Contract>();
  for (const [path, operations] of Object.entries(paths))
    for (const method of Object.keys(operations))
      assert.match(
        page,
        new RegExp(`^#+ \`${method.toUpperCase()} ${RegExp.escape(path)}\`$`, "m"),
      );
  const shared = ["api-error", "versions"];
  for (const name of Object.keys(RESOURCE_SCHEMAS))
    assert.ok(shared.includes(name) || page.includes(`\`${name}\``), name);
});
