// Prints the wings of `src`, their rooms and the imports between wings. Usage: node
// scripts/wings.ts

import { formatWings } from "#testing/tidy/graph.ts";
import { readSources } from "#testing/tidy/sources.ts";
import { collectImports } from "#testing/tidy/wings.ts";

console.log(formatWings(collectImports(readSources())));
