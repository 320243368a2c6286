// The log of a server.

import { pino } from "pino";
import type { Logger } from "pino";

/** Logs are JSON lines on stderr: stdout is for the `ready` line. */
const STDERR = 2;

const SECRET_HEADERS = ["authorization", "x-owner-key", "x-registration-key"];

export function openLog(): Logger {
  return pino(
    {
      level: "info",
      redact: SECRET_HEADERS.map((name) => `req.headers["${name}"]`),
      serializers: { error: pino.stdSerializers.err },
    },
    pino.destination(STDERR),
  );
}
