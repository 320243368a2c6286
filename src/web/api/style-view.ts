import type { BotStyle } from "#core/api/bot-record.ts";
import type { AttackName } from "#core/engine/types.ts";
import type { BotStyleSummary } from "#core/ladder/play-style.ts";

export function styleView(style: BotStyleSummary): NonNullable<BotStyle["fights"]> {
  return {
    style: style.style,
    manner: style.manner,
    games: style.games,
    favourite: style.favourite as AttackName | null,
    favourite_share: style.favouriteShare,
    accuracy: style.accuracy,
    attacks_per_100_ticks: style.attacksPer100Ticks,
    steps_per_100_ticks: style.stepsPer100Ticks,
    damage_dealt: style.damageDealt,
    damage_taken: style.damageTaken,
    healed: style.healed,
    wall_slams: style.wallSlams,
    zone_damage: style.zoneDamage,
    idles: style.idles,
  };
}
