// npm run bench NAME: runs a bench from this folder. Without a name, lists all benches.

import { readdirSync } from "node:fs";

type Bench = { run: () => Promise<void> };

const USAGE = "usage: npm run bench NAME";

function benchNames(): string[] {
  const files = readdirSync(import.meta.dirname).filter((file) => /^[a-z-]+\.ts$/u.test(file));
  return files.map((file) => file.slice(0, -".ts".length)).filter((name) => name !== "run");
}

async function main(name: string | undefined): Promise<void> {
  const names = benchNames();
  if (name === undefined) {
    console.log(`${USAGE}; available: ${names.join(", ")}`);
  } else if (names.includes(name)) {
    const bench = (await import(`./${name}.ts`)) as Bench;
    await bench.run();
  } else {
    console.error(`unknown bench "${name}"; available: ${names.join(", ")}`);
    process.exitCode = 2;
  }
}

await main(process.argv[2]);
