import { fragmentOf } from "#core/api/guide-links.ts";

/**
 * Gives releases fragments such as `#v0.48.1`, and their sections `#v0.48.1-added`, because section
 * names repeat.
 */
export function releaseFragments(): (heading: string) => string {
  let release = "";
  return (heading) => {
    if (CHANGELOG_SECTIONS.has(heading)) return `${release}-${fragmentOf(heading)}`;
    const version = /^v?(\d+\.\d+\.\d+)/.exec(heading)?.[1];
    release = version === undefined ? fragmentOf(heading) : `v${version}`;
    return release;
  };
}

const CHANGELOG_SECTIONS: ReadonlySet<string> = new Set([
  "Upgrade notes",
  "Added",
  "Changed",
  "Deprecated",
  "Removed",
  "Fixed",
  "Security",
]);
