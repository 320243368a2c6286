import { ENGINE_VERSION, RULES_VERSION } from "#core/engine/rules.ts";
import { PROTOCOL_VERSION } from "#core/protocol/version.ts";

/**
 * Hash of rules and maps. Stored as a constant, because browsers have no synchronous hash function.
 * A test checks the value.
 */
const RULES_HASH = "c35b0d546327210d3c206303df89cd4642bb26fcd2533e15c233aa38b98ad10f";

export const VERSIONS = {
  engine: ENGINE_VERSION,
  protocol: PROTOCOL_VERSION,
  rules: RULES_VERSION,
  rules_hash: RULES_HASH,
};
