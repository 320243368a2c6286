import { it } from "node:test";

import { memoryStores } from "./memory-store.ts";
import { STORE_CASES } from "./store-contract.ts";
import { SAMPLES_MADE } from "./store-samples.ts";

for (const { name, run } of STORE_CASES) {
  it(`the store in memory ${name}`, async () => {
    const open = memoryStores(SAMPLES_MADE);
    let store = open();
    await run(store, async () => {
      await store.close();
      return (store = open());
    });
  });
}
