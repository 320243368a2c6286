// npm run bench mail: simulates the email of about 300 accounts over three months.

import { parseArgs } from "node:util";

import { simulateMail } from "#testing/mail-simulation/mail-simulation.ts";

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
  const { counts, problems } = await simulateMail(size);
  for (const [name, count] of Object.entries(counts)) console.log(`  ${name.padEnd(14)} ${count}`);
  for (const fault of problems.slice(0, 20)) console.log(`fault: ${fault}`);
  console.log(problems.length === 0 ? "no faults" : `${problems.length} faults`);
  if (problems.length > 0) process.exitCode = 1;
}
