// Addresses of guides and their headings.

const DRAWING = /^[\w-]+\.svg$/;

/** Returns a heading's URL fragment. Repository hosts use the same algorithm. */
export const fragmentOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .trim()
    .replaceAll(" ", "-");

/** Returns the site path for a guide's link. Absolute URLs don't change. */
export function guideLink(target: string): string {
  const [, name, fragment = ""] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  if (name !== undefined) return `/guide/${name}${fragment}`;
  return DRAWING.test(target) ? `/docs/${target}` : target;
}
