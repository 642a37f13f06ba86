import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { quietLog } from "#store/testing/backends.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { repeatedWhileRestarting } from "./embedded-source.ts";

/** An engine that does not answer until it was asked so many times. */
function restartingEngine(asked: number) {
  let left = asked;
  return {
    outage: () => (left-- > 0 ? "The engine is restarting." : undefined),
    outageCause: () => undefined,
  };
}

describe("a step of the start", () => {
  it("waits for the engine even if the step ran longer than an outage may last", async () => {
    const outageMsMax = 200;
    let attempts = 0;
    await repeatedWhileRestarting(
      restartingEngine(2),
      async () => {
        attempts++;
        if (attempts > 1) return;
        await sleep(outageMsMax + 50);
        throw new StoreUnavailable("The engine ended.");
      },
      outageMsMax,
      quietLog,
    );
    expect(attempts).toBe(2);
  });

  it("is refused after an outage that lasts too long, and after too many restarts", async () => {
    const fail = () => Promise.reject(new StoreUnavailable("The engine ended."));
    await expect(repeatedWhileRestarting(restartingEngine(1e9), fail, 50, quietLog)).rejects.toThrow(
      /did not stay up during the start: The engine is restarting\. Nothing/,
    );
    await expect(repeatedWhileRestarting(restartingEngine(0), fail, 50, quietLog)).rejects.toThrow(
      /did not stay up during the start: it stopped 6 times\./,
    );
  });
});
