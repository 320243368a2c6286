import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import type { TestContext } from "node:test";

import { RELEASE } from "#server/composition/release.ts";
import { renderMarkdown } from "#site/guide/markdown.ts";
import { releaseFragments } from "#site/guide/release-fragments.ts";
import { changelogText } from "#web/docs/changelog-page.ts";

import { writeRelease } from "./release.ts";

const ROOT = join(import.meta.dirname, "..");
const FILES = [
  "CHANGELOG.md",
  "package.json",
  "package-lock.json",
  "docs/api-server.md",
  "docs/api-documents.md",
];
const DAY = "2030-02-28";
const NEXT = "99.1.0";

const readTreeFile = (root: string, file: string) => readFile(join(root, file), "utf8");

async function copiedTree(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "bout-release-"));
  t.after(() => rm(root, { recursive: true }));
  for (const file of FILES) await cp(join(ROOT, file), join(root, file));
  const changelog = await readTreeFile(root, "CHANGELOG.md");
  const listedChange = changelog.replace("## Unreleased\n", "## Unreleased\n\n- Something new.\n");
  await writeFile(join(root, "CHANGELOG.md"), listedChange);
  return root;
}

const sectionsOf = (changelog: string) =>
  [...changelog.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);

it("moves the unreleased changes into the release's section", async (t) => {
  const root = await copiedTree(t);
  const previousText = await readTreeFile(root, "CHANGELOG.md");
  await writeRelease(root, NEXT, DAY);
  const changelog = await readTreeFile(root, "CHANGELOG.md");
  const [unreleased, newest, ...older] = sectionsOf(changelog);
  assert.deepEqual([unreleased, newest], ["Unreleased", `${NEXT}, ${DAY}`]);
  assert.deepEqual(older, sectionsOf(previousText).slice(1));
  assert.match(changelog, /^## Unreleased\n\n## 99\.1\.0, 2030-02-28\n\n- Something new\.\n/m);
});

it("updates only the version in every file that states it", async (t) => {
  const root = await copiedTree(t);
  await writeRelease(root, NEXT, DAY);
  for (const file of FILES.slice(1)) {
    const [text, previousText] = await Promise.all([
      readTreeFile(root, file),
      readTreeFile(ROOT, file),
    ]);
    assert.ok(text.includes(`"${NEXT}"`), file);
    assert.equal(text.replaceAll(NEXT, RELEASE), previousText, file);
  }
  const lockFile = JSON.parse(await readTreeFile(root, "package-lock.json")) as {
    version: string;
    packages: Record<string, { version: string }>;
  };
  assert.deepEqual([lockFile.version, lockFile.packages[""]!.version], [NEXT, NEXT]);
});

const REFUSED_RELEASES: [what: string, next: string, why: RegExp][] = [
  ["the running release", RELEASE, /does not follow/],
  ["an older release", "0.9.99", /does not follow/],
  ["an invalid version", "1.0", /usage/],
  ["an incomplete version", "", /usage/],
];
for (const [description, next, errorPattern] of REFUSED_RELEASES)
  it(`rejects ${description} and writes nothing`, async (t) => {
    const root = await copiedTree(t);
    const previousText = await Promise.all(FILES.map((file) => readTreeFile(root, file)));
    await assert.rejects(writeRelease(root, next, DAY), errorPattern);
    assert.deepEqual(
      await Promise.all(FILES.map((file) => readTreeFile(root, file))),
      previousText,
    );
  });

it("rejects a release without changes, and a file that states another version", async (t) => {
  const root = await copiedTree(t);
  await writeRelease(root, NEXT, DAY);
  await assert.rejects(writeRelease(root, "99.2.0", DAY), /no unreleased changes/);
  const otherPackage = await copiedTree(t);
  const api = await readTreeFile(otherPackage, "docs/api-server.md");
  await writeFile(join(otherPackage, "docs/api-server.md"), api.replace(`"${RELEASE}"`, '"0.1.0"'));
  await assert.rejects(
    writeRelease(otherPackage, NEXT, DAY),
    /docs\/api-server\.md states 0\.1\.0/,
  );
});

it("renders the current release from the changelog, and the next one from the updated copy", async (t) => {
  const root = await copiedTree(t);
  await writeRelease(root, NEXT, DAY);
  const pages: [root: string, release: string][] = [
    [ROOT, RELEASE],
    [root, NEXT],
  ];
  for (const [tree, number] of pages) {
    const changelog = await readTreeFile(tree, "CHANGELOG.md");
    const page = changelogText({ changelog, guides: [] }, "https://bout.example");
    const { html } = renderMarkdown(page?.markdown ?? "", releaseFragments());
    assert.ok(html.includes(`<h2 id="v${number}">`), number);
  }
});
