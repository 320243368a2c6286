import { it } from "node:test";

import { memoryStores } from "./memory-store.ts";
import { STORE_CASES } from "./store-contract.ts";
import { SAMPLES_CREATED_AT } from "./store-samples.ts";

for (const { name, run } of STORE_CASES) {
  it(`in-memory store ${name}`, async () => {
    const open = memoryStores(SAMPLES_CREATED_AT);
    let store = open();
    await run(store, async () => {
      await store.close();
      return (store = open());
    });
  });
}
