// npm run bench mail: three months of mail among some hundred accounts, in simulated time.

import { parseArgs } from "node:util";

import { months } from "#testing/mail-months/months.ts";

export async function run(): Promise<void> {
  const options = {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    accounts: { type: "string", default: "300" },
    days: { type: "string", default: "91" },
  } as const;
  const { values } = parseArgs({ options, strict: false });
  const { seed, accounts, days } = values;
  const size = { seed: Number(seed), accounts: Number(accounts), days: Number(days) };
  console.log(`${size.days} days of ${size.accounts} accounts, seed ${size.seed}`);
  const { counts, faults } = await months(size);
  for (const [name, count] of Object.entries(counts)) console.log(`  ${name.padEnd(14)} ${count}`);
  for (const fault of faults.slice(0, 20)) console.log(`fault: ${fault}`);
  console.log(faults.length === 0 ? "nothing is wrong" : `${faults.length} faults`);
  if (faults.length > 0) process.exitCode = 1;
}
