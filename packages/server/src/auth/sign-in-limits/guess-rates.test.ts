import { dayMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { openRowStore } from "#store/row/row-store.ts";
import { takeTokens } from "#store/row/token-bucket.ts";
import { quietLog, rowBackends, writeWithoutSync } from "#store/testing/backends.ts";
import { attemptLimits } from "./attempts.ts";

const backends = await rowBackends();

/** The figures of docs/decisions/0014: an attacker who tries again as soon as the server allows it. */
describe.each(backends)("guesses within a day and within the day after, on $name", (backend) => {
  const rates = [
    ["device", 1449, 1440],
    ["accountAndAddress", 153, 144],
    ["account", 307, 288],
    ["address", 4519, 4320],
    ["code", 115, 96],
    ["deviceCode", 115, 96],
  ] as const;
  // Thousands of transactions of the same kind: a server process takes ten times as long for them.
  it.each(backend.name === "SQLite" ? rates : rates.filter(([, firstDay]) => firstDay < 1000))(
    "%s: %i, then %i",
    async (kind, firstDay, secondDay) => {
      const place = await backend.create();
      const rows = await openRowStore(place.config, quietLog);
      if (place.config.kind === "sqlite") await writeWithoutSync(rows);
      const start = Date.parse("2026-11-20T00:00:00.000Z");
      const guesses = [0, 0];
      for (let nowMs = start; nowMs < start + 2 * dayMs; ) {
        const bucket = { subject: kind, ...attemptLimits[kind] };
        const waitMs = await takeTokens(rows, [bucket], new Date(nowMs));
        const day = Math.floor((nowMs - start) / dayMs);
        if (waitMs === 0) guesses[day] = (guesses[day] as number) + 1;
        nowMs += waitMs;
      }
      await rows.destroy();
      await place.remove();
      expect(guesses).toEqual([firstDay, secondDay]);
    },
    120_000,
  );
});
