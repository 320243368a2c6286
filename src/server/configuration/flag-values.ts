// How the text of a flag or of its variable becomes a value: readers shared by all commands.

import { InvalidArgumentError } from "commander";

/** A call of the program that is wrong, said in one line: exit 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Reads a flag's text. Throws an InvalidArgumentError that says what would be valid. */
export type Reader<T> = (text: string) => T;

/** Ends a reader: `expected` is what the flag accepts. */
export function refuse(expected: string): never {
  throw new InvalidArgumentError(`It takes ${expected}`);
}

export const text: Reader<string> = (value) => (value === "" ? refuse("a text") : value);

export function whole(least: number, most: number): Reader<number> {
  return (value) => {
    const number = Number(value);
    const isRight = /^\d+$/.test(value) && number >= least && number <= most;
    return isRight ? number : refuse(`a whole number from ${least} to ${most}`);
  };
}

/** May have a fraction. */
export function seconds(least: number, most: number): Reader<number> {
  return (value) => {
    const number = Number(value);
    const isRight = /^\d+(\.\d+)?$/.test(value) && number >= least && number <= most;
    return isRight ? number : refuse(`seconds from ${least} to ${most}, such as ${least} or 2.5`);
  };
}

export function oneOf<Word extends string>(words: readonly Word[]): Reader<Word> {
  return (value) => words.find((word) => word === value) ?? refuse(`one of ${words.join(", ")}`);
}

export const address: Reader<string> = (value) => {
  const url = URL.parse(value);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (url === null || !isWeb || url.pathname !== "/" || url.search !== "" || url.hash !== "")
    return refuse("an address such as https://bout.example, without a path");
  return url.origin;
};

export const link: Reader<string> = (value) => {
  const url = URL.parse(value);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  return url !== null && isWeb ? url.href : refuse("a link such as https://git.example/bout");
};
