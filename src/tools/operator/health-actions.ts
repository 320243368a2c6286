// What an operator can ask about how the server does: rows for the commands.

import { Type } from "typebox";

import { HealthSchema } from "#core/operator/health.ts";
import { action } from "#tools/cli/admin-action.ts";
import type { AdminAction } from "#tools/cli/admin-action.ts";

import { printHealth } from "./health-print.ts";

export const HEALTH_ACTIONS: readonly AdminAction[] = [
  action({
    name: "health",
    about: "How the server did in the latest five minutes.",
    request: () => ({ method: "GET", path: "health" }),
    answer: HealthSchema,
    print: printHealth,
  }),
  action({
    name: "metrics",
    about: "The same as text for Prometheus.",
    request: () => ({ method: "GET", path: "metrics" }),
    answer: Type.String(),
    print: (text) => text.trimEnd().split("\n"),
  }),
];
