// A store that notes what is read from it and announces what is written, as its port declares.

import type { Revisions } from "#base/cache/revisions.ts";
import type { Call, ReadMethod, WriteMethod } from "#data/store/method.ts";
import { around } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";

/** The same store. A change is announced once it is stored, before the caller learns of it. */
export function announced(store: Store, revisions: Revisions): Store {
  const nouns = around(store, (method, _, declared) => {
    if (declared.access === "write") return moving(revisions, declared.subjects, method);
    return declared.subjects === null ? method : noting(revisions, declared.subjects, method);
  });
  return { ...nouns, close: () => store.close() };
}

type ReadSubjects = NonNullable<ReadMethod<Call>["subjects"]>;
type WriteSubjects = WriteMethod<Call>["subjects"];

function noting(revisions: Revisions, subjects: ReadSubjects, method: Call): Call {
  return async (...args) => {
    const at = revisions.now();
    const answer = await method(...args);
    revisions.note(subjects.of(answer, ...args), at);
    return answer;
  };
}

function moving(revisions: Revisions, subjects: WriteSubjects, method: Call): Call {
  return async (...args) => {
    let answer: unknown;
    try {
      answer = await method(...args);
      return answer;
    } finally {
      revisions.move(subjects.of(answer, ...args));
    }
  };
}
