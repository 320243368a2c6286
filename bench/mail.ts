// Three months of mail that people may refuse: docs/operating.md.

export { run } from "#testing/mail-months/main.ts";
