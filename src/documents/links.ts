// Links of the guides: relative between files, so that they work in a repository too.

const DRAWING = /^[\w-]+\.svg$/;
const LINK = /\]\(([^)\s]+)\)/g;

/** Where a link of a guide leads on the site; whole addresses stay as they are. */
export function guideLink(target: string): string {
  const [, name, fragment = ""] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  if (name !== undefined) return `/guide/${name}${fragment}`;
  return DRAWING.test(target) ? `/docs/${target}` : target;
}

/** The same Markdown with whole addresses, for places far from the guide `page`. */
export function absoluteLinks(markdown: string, page: string, baseUrl: string): string {
  return markdown.replaceAll(LINK, (_, target: string) => {
    const path = target.startsWith("#") ? `/guide/${page}${target}` : guideLink(target);
    return `](${path.startsWith("/") ? baseUrl : ""}${path})`;
  });
}
