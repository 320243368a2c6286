// What the Nu checker reports as JSON, in lines for people.

/** `url` is that of the checked file; `type` is "error", "info" or "non-document-error". */
type NuMessage = {
  type: string;
  url: string;
  message: string;
  lastLine?: number;
  extract?: string;
};

/** One line for each error; `pathOf` names the page of a file. */
export function nuErrors(json: string, pathOf: (file: string) => string): string[] {
  const { messages } = JSON.parse(json) as { messages: NuMessage[] };
  return messages
    .filter(({ type }) => type !== "info")
    .map(({ url, lastLine, message, extract }) => {
      const where = lastLine === undefined ? "" : `, line ${lastLine}`;
      const near = extract === undefined ? "" : ` near ${extract.replaceAll(/\s+/g, " ")}`;
      return `${pathOf(url)}${where}: ${message}${near}`;
    });
}
