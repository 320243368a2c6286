import assert from "node:assert/strict";
import { test } from "node:test";

import { nuErrors } from "./nu-report.ts";

const ERROR = { type: "error", url: "file:/tmp/x/3.html", message: "Stray end tag “p”." };
const REPORT = {
  messages: [
    {
      ...ERROR,
      lastLine: 7,
      firstColumn: 1,
      lastColumn: 4,
      extract: "</div>\n</p>",
      hiliteStart: 7,
    },
    { type: "info", subType: "warning", url: "file:/tmp/x/3.html", message: "Consider h2." },
    { type: "non-document-error", url: "file:/tmp/x/4.html", message: "No such file." },
  ],
};

test("formats Nu checker errors as lines with page and position, and omits warnings", () => {
  const pathOf = (file: string) => (file.endsWith("3.html") ? "/ladder" : file);
  assert.deepEqual(nuErrors(JSON.stringify(REPORT), pathOf), [
    "/ladder, line 7: Stray end tag “p”. near </div> </p>",
    "file:/tmp/x/4.html: No such file.",
  ]);
});
