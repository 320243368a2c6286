import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { isAppScheme } from "./redirect-scheme.ts";

const ACCEPTED = ["com.example.app:", "io.github.some-app:", "cursor:", "vscode:", "zed:"];
const REFUSED = [
  ..."ms-msdt: search-ms: ms-appinstaller: microsoft-edge: shell: res: smb: ssh: ldap:".split(" "),
  ..."jar: mhtml: sms: itms-services: feed: livescript: chrome-extension: javascript:".split(" "),
  ..."data: file: vbscript: blob: about: intent: myapp: http: https: .app: app.: a..b:".split(" "),
];

describe("an OAuth redirect scheme", () => {
  for (const scheme of ACCEPTED)
    it(`accepts ${scheme}`, () => assert.equal(isAppScheme(scheme), true));
  for (const scheme of REFUSED)
    it(`rejects ${scheme}`, () => assert.equal(isAppScheme(scheme), false));
});
