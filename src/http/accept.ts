/** Whether an Accept header rates HTML above JSON; equal is not above. */
export function prefersHtml(accept: string | undefined): boolean {
  const ranges = (accept ?? "*/*").split(",").map(parseRange);
  const quality = (...types: string[]) => {
    const found = types.map((type) => ranges.find((range) => range.type === type));
    return found.find((range) => range !== undefined)?.quality ?? 0;
  };
  return (
    quality("text/html", "text/*", "*/*") > quality("application/json", "application/*", "*/*")
  );
}

function parseRange(range: string): { type: string; quality: number } {
  const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
  return { type, quality: Number.parseFloat(quality) || 0 };
}
