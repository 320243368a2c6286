// node scripts/wings.ts: prints the wings of src, their rooms, and the imports between wings.

import { drawWings } from "#testing/tidy/graph.ts";
import { readSources } from "#testing/tidy/sources.ts";
import { importsOf } from "#testing/tidy/wings.ts";

console.log(drawWings(importsOf(readSources())));
