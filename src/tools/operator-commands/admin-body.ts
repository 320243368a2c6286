// Builds the body of an operator request from values, a JSON file or a picture.

import { open } from "node:fs/promises";

import { invalidJsonText, parseJson } from "#base/util/parse-json.ts";
import { IMAGE_TYPES } from "#core/ids/image-types.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { imageTypeOf } from "#data/files/image-format.ts";
import { CommandFailure, EXIT_USAGE } from "#tools/cli/command.ts";

export type AdminCallBody = {
  /** Values by name. They override those from the file. */
  body?: object;
  json?: string;
  jsonFields?: readonly string[];
  /**
   * Path to a picture, and the picture's alternative text. If omitted, the server uses a default
   * text.
   */
  picture?: { path: string; alt: string | undefined };
};

type EncodedBody = { headers: Record<string, string>; body: string | Uint8Array<ArrayBuffer> };

/** Returns null for a request without a body. */
export async function encodeBody({
  body,
  json,
  jsonFields,
  picture,
}: AdminCallBody): Promise<EncodedBody | null> {
  if (picture !== undefined) return encodePicture(picture);
  if (body === undefined && json === undefined) return null;
  const values =
    json === undefined ? body : { ...pickFields(await readObject(json), jsonFields), ...body };
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(values) };
}

const pickFields = (values: object, jsonFields?: readonly string[]): object =>
  jsonFields === undefined
    ? values
    : Object.fromEntries(Object.entries(values).filter(([name]) => jsonFields.includes(name)));

async function readObject(path: string): Promise<object> {
  const text = (await readBounded(path, MAX_JSON_BYTES)).toString("utf8");
  const json = parseJson(text);
  if ("position" in json)
    throw new CommandFailure(`${path} ${invalidJsonText(json.position)}.`, EXIT_USAGE);
  const { value } = json;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new CommandFailure(`${path} is not a JSON object.`, EXIT_USAGE);
  return value;
}

/** Exceeds any body that the server accepts. */
const MAX_JSON_BYTES = 1024 * 1024;

async function encodePicture({
  path,
  alt,
}: NonNullable<AdminCallBody["picture"]>): Promise<EncodedBody> {
  const bytes = await readBounded(path, FIXED_LIMITS.image_bytes);
  const type = IMAGE_TYPES.find((candidate) => imageTypeOf(bytes, candidate) !== null);
  if (type === undefined)
    throw new CommandFailure(`${path} is not a PNG, JPEG or WebP image.`, EXIT_USAGE);
  const headers = {
    "content-type": type,
    ...(alt !== undefined && { "x-service-image-alt": encodeURIComponent(alt) }),
  };
  return { headers, body: bytes };
}

/** Rejects a file that is too large before reading it. */
async function readBounded(path: string, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > maxBytes)
      throw new CommandFailure(`${path} is larger than ${maxBytes} bytes.`, EXIT_USAGE);
    return await file.readFile();
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const { code = "not a file" } = error as NodeJS.ErrnoException;
    throw new CommandFailure(`${path} can't be read: ${code}.`, EXIT_USAGE);
  }
}
