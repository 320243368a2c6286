// Splits docs/api.md into sections. The text about a route becomes its description in the contract.

export type ApiSection = {
  /** First paragraph, as Markdown. */
  description: string;
  /** First JSON block. */
  response?: unknown;
  /** JSON body of the first command. */
  request?: unknown;
};

const HEADING = /^#{2,4} `([A-Z]+ \/\S*)`$/;
const JSON_BLOCK = /^```json[^\n]*\n(.*?)^```$/ms;
const REQUEST_BODY = /-d '(\{.*?\})'/s;

/** Returns sections by the route in their heading, such as `GET /api/status`. */
export function apiSections(page: string): ReadonlyMap<string, ApiSection> {
  const parts = page.split(/^(?=#{2,4} )/m);
  return new Map(
    parts.flatMap((part) => {
      const [line = "", ...rest] = part.split("\n");
      const name = HEADING.exec(line)?.[1];
      return name === undefined ? [] : [[name, sectionOf(rest.join("\n"))] as const];
    }),
  );
}

function sectionOf(text: string): ApiSection {
  const response = JSON_BLOCK.exec(text)?.[1];
  const request = REQUEST_BODY.exec(text)?.[1];
  const [description = ""] = text.trim().split("\n\n", 1);
  return {
    description,
    ...(response !== undefined && { response: JSON.parse(response) as unknown }),
    ...(request !== undefined && { request: JSON.parse(request) as unknown }),
  };
}
