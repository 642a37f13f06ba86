import { expect, it } from "vitest";
import { UploadRates } from "./upload-rates.ts";

const of = (value: number, source: "server" | "operator" | "file" = "operator") =>
  ({ name: "uploads_per_minute", value, source }) as const;

it("refuses uploads beyond the limit until the minute ends, and only those of the organization", () => {
  const clock = { ms: 30_000 };
  const rates = new UploadRates(() => clock.ms);
  const refusals = [1, 2, 3].map(() => rates.take("a", of(2)));
  expect(refusals).toEqual([
    undefined,
    undefined,
    {
      code: "rate_limited",
      reason: "organization_uploads_per_minute",
      message:
        "Your organization has sent 2 uploads in this minute, as many as its limit allows. Send less often, or ask the server's operator, who set this limit for your organization.",
      retryAfterSeconds: 30,
    },
  ]);
  expect(rates.take("b", of(2))).toBeUndefined();
  expect(rates.take("a", of(3))).toBeUndefined();
  clock.ms = 60_000;
  expect(rates.take("a", of(2))).toBeUndefined();
  expect(rates.take("c", of(0))).toMatchObject({ retryAfterSeconds: 60 });
});

it("counts the uploads that other servers have taken in the minute", () => {
  const clock = { ms: 0 };
  const rates = new UploadRates(() => clock.ms);
  rates.noteOthers("a", 3);
  expect([1, 2].map(() => rates.take("a", of(4))?.code)).toEqual([undefined, "rate_limited"]);
  clock.ms = 60_000;
  expect(rates.take("a", of(1))).toBeUndefined();
});

it("knows the uploads of the last full minute", () => {
  const clock = { ms: 0 };
  const rates = new UploadRates(() => clock.ms);
  for (let i = 0; i < 5; i++) rates.take("a", of(4));
  expect([rates.lastMinute("a"), rates.lastMinute("b")]).toEqual([0, 0]);
  clock.ms = 60_000;
  expect(rates.lastMinute("a")).toBe(4);
  clock.ms = 180_000;
  expect(rates.lastMinute("a")).toBe(0);
});
