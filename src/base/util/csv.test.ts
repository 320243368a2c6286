import assert from "node:assert/strict";
import { it } from "node:test";

import { csvHead, csvLine, csvRows } from "./csv.ts";

for (const first of ["=", "+", "-", "@", "\t", "\r", "\n", "＝"])
  it(`escapes text that begins with ${JSON.stringify(first)}`, () => {
    assert.match(csvLine([`${first}1+1`]), /^"?'/);
  });

it("keeps numbers, booleans and other text unchanged", () => {
  assert.equal(csvLine([-1.5, true, null, "a-b", "2=2", ""]), "-1.5,true,,a-b,2=2,\r\n");
});

it("quotes commas, quotes and line breaks", () => {
  assert.equal(csvLine(["a,b", 'say "hi"', "two\nlines"]), '"a,b","say ""hi""","two\nlines"\r\n');
});

it("writes a header and a record for each row", () => {
  const columns = [
    { title: "name", value: ({ name }: { name: string }) => name },
    { title: "length", value: ({ name }: { name: string }) => name.length },
  ];
  assert.equal(csvHead(columns), "name,length\r\n");
  assert.equal(csvRows(columns, [{ name: "=x" }, { name: "ada" }]), "'=x,2\r\nada,3\r\n");
});
