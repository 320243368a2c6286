/**
 * Returns whether an Accept header prefers HTML to JSON (RFC 9110, section 12.5). JSON wins a tie.
 */
export function prefersHtml(accept: string | undefined = "*/*"): boolean {
  const html = qualityOf(accept, ["text/html", "text/*", "*/*"]);
  return html > qualityOf(accept, ["application/json", "application/*", "*/*"]);
}

/**
 * Returns the quality (0 to 1) of the first of these names that the header lists. Returns 0 if it
 * lists none of the names.
 */
export function qualityOf(header: string | undefined, names: readonly string[]): number {
  const ranges = (header ?? "").split(",").map(parseRange);
  const matchingRanges = names.map((name) => ranges.find((range) => range.name === name));
  return matchingRanges.find((range) => range !== undefined)?.quality ?? 0;
}

function parseRange(range: string): { name: string; quality: number } {
  const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
  return { name, quality: Number.parseFloat(quality) || 0 };
}
