// Why a bout was lost, in sentences an author can act on, from the match statistics.
import { damageIn, hpAccount } from "#core/engine/hp-account.ts";
import { RULES } from "#core/engine/rules.ts";
import { ATTACKS } from "#core/engine/types.ts";
import type { FighterStats, IdleReason, Refusal } from "#core/engine/types.ts";
import { IDLE_WORDS } from "#core/replay/idle-words.ts";
import { REFUSAL_WORDS } from "#site/viewer/words.ts";

/** Shares of all turns from which a fault is worth a sentence. */
const NOTABLE_REFUSED = 0.1;
/** Shares of the damage taken. */
const NOTABLE_ZONE = 0.08;
/** Uses of an attack without a hit that count as wasted. */
const WASTED_USES = 4;

type Side = { stats: FighterStats; other: FighterStats; ticks: number };

/** Sentences about one fighter, most important first. */
export function findingsOf(stats: FighterStats, other: FighterStats, ticks: number): string[] {
  const side = { stats, other, ticks };
  return [failed, account, zone, stunned, refused, wasted, slow].flatMap(
    (find) => find(side) ?? [],
  );
}

function failed({ stats, ticks }: Side): string | null {
  const reasons = countsOf(stats.server_idles);
  const sum = reasons.reduce((total, [, count]) => total + count, 0);
  if (sum === 0) return null;
  const list = reasons.map(([reason, count]) => `${IDLE_WORDS[reason as IdleReason]} ${count}×`);
  return `${sum} of ${ticks} ticks passed without a valid turn: ${list.join(", ")}.`;
}

/** A sum that adds up: the initial hp, what was added, and who took it. */
function account({ stats, other }: Side): string {
  const { start, healed, own, zone, opponent, beyond, left } = hpAccount(stats, other);
  const parts: [hp: number, text: string][] = [
    [healed, `+ ${healed} healed`],
    [damageIn(own), `− ${damageIn(own)} by its own areas`],
    [zone, `− ${zone} by the zone`],
    [damageIn(opponent), `− ${damageIn(opponent)} by the other one`],
    [beyond, `+ ${beyond} of it beyond the last hp`],
  ];
  const told = parts.filter(([hp]) => hp > 0).map(([, text]) => ` ${text}`);
  return `${start} hp${told.join("")} = ${left} left.`;
}

function zone({ stats }: Side): string | null {
  const damage = stats.taken_by_source.zone;
  if (damage === 0 || damage < stats.damage_taken * NOTABLE_ZONE) return null;
  return `${stats.zone_ticks} ticks outside the zone cost ${damage} hp.`;
}

function stunned({ stats, other }: Side): string | null {
  if (stats.stunned === 0) return null;
  return `${stats.stunned} turns lost to stuns, after ${other.wall_slams} wall ${other.wall_slams === 1 ? "slam" : "slams"}.`;
}

function refused({ stats, ticks }: Side): string | null {
  if (stats.refused_turns < ticks * NOTABLE_REFUSED) return null;
  const [worst] = countsOf(stats.rejected);
  if (worst === undefined) return null;
  const why = REFUSAL_WORDS[worst[0] as Refusal];
  return `${stats.refused_turns} of ${ticks} turns had a refused part, most often (${worst[1]}×): ${why}.`;
}

function wasted({ stats }: Side): string | null {
  const idle = ATTACKS.filter((name) => {
    const { uses, hits } = stats.weapons[name];
    return uses >= WASTED_USES && hits === 0;
  });
  if (idle.length === 0) return null;
  const list = idle.map((name) => `${name} (${stats.weapons[name].uses}×)`);
  return `Never hit with ${list.join(", ")}.`;
}

function slow({ stats: { timing } }: Side): string | null {
  if (timing === null || timing.near_limit === 0) return null;
  return `${timing.near_limit} of ${timing.replies} answers took over 80 % of the ${timing.tick_ms} ms of a tick.`;
}

/** Reasons by how often they occurred, most frequent first. */
export function countsOf(counts: Partial<Record<string, number>>): [string, number][] {
  return Object.entries(counts)
    .filter((entry): entry is [string, number] => (entry[1] ?? 0) > 0)
    .sort((a, b) => b[1] - a[1]);
}

/** The top of a scale that fits the damage of both sides. */
export function damageScale(fighters: readonly FighterStats[]): number {
  const most = fighters.flatMap(({ taken_by_source }) => Object.values(taken_by_source));
  return Math.max(RULES.hp / 4, ...most);
}
