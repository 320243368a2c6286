import { InvalidArgumentError } from "commander";

/** Invalid command-line usage. Commands print the message as one line and exit with code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Parses a flag value. Throws an InvalidArgumentError that names the accepted values. */
export type FlagParser<T> = (value: string) => T;

/** Throws an InvalidArgumentError. `expected` describes the accepted values. */
export function rejectValue(expected: string): never {
  throw new InvalidArgumentError(`It takes ${expected}`);
}

export const parseText: FlagParser<string> = (value) =>
  value === "" ? rejectValue("a text") : value;

export function parseWhole(min: number, max: number): FlagParser<number> {
  return (value) => {
    const number = Number(value);
    const isValid = /^\d+$/.test(value) && number >= min && number <= max;
    return isValid ? number : rejectValue(`a whole number from ${min} to ${max}`);
  };
}

/** Returns a parser for seconds from `min` to `max`. Fractions are accepted. */
export function parseSeconds(min: number, max: number): FlagParser<number> {
  return (value) => {
    const number = Number(value);
    const isValid = /^\d+(\.\d+)?$/.test(value) && number >= min && number <= max;
    return isValid ? number : rejectValue(`seconds from ${min} to ${max}, such as ${min} or 2.5`);
  };
}

export function parseOneOf<Word extends string>(choices: readonly Word[]): FlagParser<Word> {
  return (value) =>
    choices.find((choice) => choice === value) ?? rejectValue(`one of ${choices.join(", ")}`);
}

export const parseOrigin: FlagParser<string> = (value) => {
  const url = URL.parse(value);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (url === null || !isWeb || url.pathname !== "/" || url.search !== "" || url.hash !== "")
    return rejectValue("a URL such as https://bout.example, without a path");
  return url.origin;
};

export const parseLink: FlagParser<string> = (value) => {
  const url = URL.parse(value);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  return url !== null && isWeb ? url.href : rejectValue("a URL such as https://git.example/bout");
};
