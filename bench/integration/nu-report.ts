/** `url` is the URL of the checked file. `type` is "error", "info" or "non-document-error". */
type NuMessage = {
  type: string;
  url: string;
  message: string;
  lastLine?: number;
  extract?: string;
};

/** Returns one line per error. `pathOf` maps a file to its page. */
export function nuErrors(json: string, pathOf: (file: string) => string): string[] {
  const { messages } = JSON.parse(json) as { messages: NuMessage[] };
  return messages
    .filter(({ type }) => type !== "info")
    .map(({ url, lastLine, message, extract }) => {
      const position = lastLine === undefined ? "" : `, line ${lastLine}`;
      const extractText = extract === undefined ? "" : ` near ${extract.replaceAll(/\s+/g, " ")}`;
      return `${pathOf(url)}${position}: ${message}${extractText}`;
    });
}
