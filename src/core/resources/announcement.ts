// Notices from the operators.

import { Type } from "typebox";

import { Id, Instant } from "./common.ts";

export const AnnouncementSchema = Type.Object({
  id: Id,
  title: Type.String({ description: "one line of 1-120 characters" }),
  body: Type.String({ description: "plain text of 1-5000 characters" }),
  published: Instant,
});
