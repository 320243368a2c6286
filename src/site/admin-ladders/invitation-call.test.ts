import assert from "node:assert/strict";
import { it } from "node:test";

import { invitationCall } from "./invitation-call.ts";

const call = (answers: Record<string, string>) =>
  invitationCall("ladders/cup", { account: "", labels: "", count: "1", ...answers });
const one = (body: object) => ({ method: "POST", path: "ladders/cup/invitations", body });
const batch = (body: object) => ({ method: "POST", path: "ladders/cup/invitations/batch", body });

it("requests a single invitation or a batch", () => {
  assert.deepEqual(call({}), one({}));
  assert.deepEqual(call({ account: "ada" }), one({ account: "ada" }));
  assert.deepEqual(call({ labels: " Team A \n" }), one({ label: "Team A" }));
  const labelled = one({ account: "ada", label: "Team A" });
  assert.deepEqual(call({ account: "ada", labels: "Team A" }), labelled);
  assert.deepEqual(call({ count: "3" }), batch({ count: 3 }));
  const labels = ["Team A", "Team B"];
  assert.deepEqual(call({ labels: "Team A\r\n\nTeam B" }), batch({ labels }));
  assert.deepEqual(call({ labels: "Team A\nTeam B", count: "2" }), batch({ labels }));
});

it("names the field that conflicts with another field", () => {
  const fieldOf = (answers: Record<string, string>) => (call(answers) as { field?: string }).field;
  assert.equal(fieldOf({ count: "x" }), "count");
  assert.equal(fieldOf({ account: "ada", count: "2" }), "count");
  assert.equal(fieldOf({ account: "ada", labels: "a\nb" }), "labels");
  assert.equal(fieldOf({ labels: "a\nb", count: "3" }), "labels");
  assert.equal(fieldOf({ labels: "a", count: "2" }), "labels");
});
