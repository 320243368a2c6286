// What a call of an operator sends: values, a file with JSON, or a picture.

import { open } from "node:fs/promises";

import { notJson, parseJson } from "#base/units/json-text.ts";
import { IMAGE_TYPES } from "#core/words/images.ts";
import { FIXED } from "#core/words/limits.ts";
import { imageTypeOf } from "#data/files/image-format.ts";

import { CommandFailure, EXIT_USAGE } from "./command.ts";

export type CallBody = {
  /** Values by name. They stand over those of the file. */
  body?: object;
  /** Path of a file with a JSON object. */
  json?: string;
  /** The fields of the file that are sent; all if absent. */
  only?: readonly string[];
  /** Path of a picture, and the text that stands for it; the server's own if absent. */
  picture?: { path: string; alt: string | undefined };
};

type Sent = { headers: Record<string, string>; body: string | Uint8Array<ArrayBuffer> };

/** Null for a call without a body. */
export async function sentBody({ body, json, only, picture }: CallBody): Promise<Sent | null> {
  if (picture !== undefined) return sentPicture(picture);
  if (body === undefined && json === undefined) return null;
  const values = json === undefined ? body : { ...picked(await readObject(json), only), ...body };
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(values) };
}

const picked = (values: object, only?: readonly string[]): object =>
  only === undefined
    ? values
    : Object.fromEntries(Object.entries(values).filter(([name]) => only.includes(name)));

async function readObject(path: string): Promise<object> {
  const text = (await readBounded(path, JSON_BYTES)).toString("utf8");
  const json = parseJson(text);
  if ("place" in json) throw new CommandFailure(`${path} ${notJson(json.place)}.`, EXIT_USAGE);
  const { value } = json;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new CommandFailure(`${path} is no JSON object.`, EXIT_USAGE);
  return value;
}

/** More than any body that a ladder takes. */
const JSON_BYTES = 1024 * 1024;

async function sentPicture({ path, alt }: NonNullable<CallBody["picture"]>): Promise<Sent> {
  const bytes = await readBounded(path, FIXED.image_bytes);
  const type = IMAGE_TYPES.find((one) => imageTypeOf(bytes, one) !== null);
  if (type === undefined)
    throw new CommandFailure(`${path} is no PNG, JPEG or WebP picture.`, EXIT_USAGE);
  const headers = {
    "content-type": type,
    ...(alt !== undefined && { "x-service-image-alt": encodeURIComponent(alt) }),
  };
  return { headers, body: bytes };
}

/** A file that is larger than it can be is refused before it is read. */
async function readBounded(path: string, most: number): Promise<Buffer<ArrayBuffer>> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > most) throw new CommandFailure(`${path} has more than ${most} bytes.`, EXIT_USAGE);
    return await file.readFile();
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const { code = "it is no file" } = error as NodeJS.ErrnoException;
    throw new CommandFailure(`${path} cannot be read: ${code}.`, EXIT_USAGE);
  }
}
