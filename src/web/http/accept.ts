// What a client prefers, by its negotiation headers (RFC 9110, 12.5).

/** Whether an Accept header rates HTML higher than JSON. A tie goes to JSON. */
export function prefersHtml(accept: string | undefined = "*/*"): boolean {
  const html = qualityOf(accept, ["text/html", "text/*", "*/*"]);
  return html > qualityOf(accept, ["application/json", "application/*", "*/*"]);
}

/** How a header rates the first of these names that it contains, 0 to 1; 0 if it contains none. */
export function qualityOf(header: string | undefined, names: readonly string[]): number {
  const ranges = (header ?? "").split(",").map(parseRange);
  const found = names.map((name) => ranges.find((range) => range.name === name));
  return found.find((range) => range !== undefined)?.quality ?? 0;
}

function parseRange(range: string): { name: string; quality: number } {
  const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
  return { name, quality: Number.parseFloat(quality) || 0 };
}
