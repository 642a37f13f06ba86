import { describe, expect, it } from "vitest";
import { runRules } from "#rules/run/run-rules.ts";
import type { Subject } from "#rules/subject.ts";
import { drawnSubject } from "#rules/testing/subject-of-picture.ts";

/** Goroutines in one stack, root first. */
function goroutines(
  stack: string,
  count: number,
  facts: { earlier?: Subject[]; timeMs?: number } = {},
): Subject {
  return drawnSubject(
    "goroutine",
    [...stack.split(" "), String(count)].join("\n"),
    ["goroutine/count"],
    facts,
  );
}

const firstOf = (subject: Subject) => {
  const [finding] = runRules(subject);
  return finding && [finding.rule, finding.priority, finding.functions[0]!.name];
};

const request = "net/http.(*conn).serve shop.serve";

/** Rule, the function it names, the stack, a number that it reports, and one that it does not. */
const cases: readonly (readonly [rule: string, cause: string, stack: string, many: number, few: number])[] = [
  [
    "blocked-send",
    "shop.owner.func1",
    "shop.owner.func1 runtime.chansend1 runtime.chansend runtime.gopark",
    60,
    10,
  ],
  [
    "blocked-receive",
    "shop.worker",
    "shop.worker runtime.chanrecv2 runtime.chanrecv runtime.gopark",
    400,
    64,
  ],
  ["ticker-not-stopped", "shop.heartbeat", "shop.heartbeat runtime.chanrecv2 runtime.gopark", 200, 20],
  [
    "missing-timeout",
    "shop.fetch",
    `${request} shop.fetch net/http.Get net/http.(*Client).Get runtime.selectgo`,
    80,
    10,
  ],
  ["stuck-lock", "shop.raise", `${request} shop.raise sync.(*Mutex).Lock runtime.gopark`, 40, 5],
  [
    "unbounded-fan-out",
    "shop.broadcast.func1",
    "shop.broadcast.func1 shop.deliver net/http.(*Transport).getConn runtime.selectgo",
    900,
    64,
  ],
  [
    "unclosed-response-body",
    "net/http.(*persistConn).readLoop",
    "net/http.(*persistConn).readLoop runtime.selectgo",
    80,
    10,
  ],
];

describe("goroutine rules", () => {
  it.each(cases)("%s names %s", (rule, cause, stack, many, few) => {
    const [finding] = runRules(goroutines(stack, many));
    expect(finding).toMatchObject({
      rule,
      functions: [{ name: cause }, ...(finding?.functions.slice(1) ?? [])],
    });
    expect(finding!.issue).toContain(String(many));
    expect(runRules(goroutines(stack, few))).toEqual([]);
  });

  it("tell a leak by growth, and say since when", () => {
    const stack = "shop.follow runtime.selectgo runtime.gopark";
    const before = goroutines(stack, 40, { timeMs: 1_000_000 });
    const after = goroutines(stack, 200, { earlier: [before], timeMs: 1_060_000 });
    expect(firstOf(after)).toEqual(["goroutine-leak", "high", "shop.follow"]);
    expect(runRules(after)[0]!.impact).toContain("60 seconds before there were 40.");
    expect(runRules(goroutines(stack, 200))).toEqual([]);
    expect(runRules(goroutines(stack, 200, { earlier: [goroutines(stack, 190)] }))).toEqual([]);
  });

  it("find a small leak next to many workers", () => {
    const picture = (leaked: number) => `
      shop.worker            shop.follow
      runtime.selectgo       runtime.selectgo
      400                    ${leaked}`;
    const at = (leaked: number, earlier: Subject[] = []) =>
      drawnSubject("goroutine", picture(leaked), ["goroutine/count"], { earlier });
    expect(firstOf(at(90, [at(5)]))).toEqual(["goroutine-leak", "high", "shop.follow"]);
  });

  it("raise the priority of what grows", () => {
    const stack = "shop.owner.func1 runtime.chansend1 runtime.chansend";
    expect(firstOf(goroutines(stack, 60))).toEqual(["blocked-send", "medium", "shop.owner.func1"]);
    const grown = goroutines(stack, 60, { earlier: [goroutines(stack, 10)] });
    expect(firstOf(grown)).toEqual(["blocked-send", "high", "shop.owner.func1"]);
  });

  it("tell clients that are never closed from connections in use", () => {
    const idle = "net/http.(*persistConn).readLoop bufio.(*Reader).Peek net.(*conn).Read";
    const earlier = [goroutines(idle, 10)];
    expect(firstOf(goroutines(idle, 200, { earlier }))).toEqual([
      "unclosed-client",
      "high",
      "net/http.(*persistConn).readLoop",
    ]);
    const inUse = drawnSubject(
      "goroutine",
      `
      net/http.(*persistConn).readLoop       net/http.(*conn).serve
      bufio.(*Reader).Peek                   shop.fetch
      net.(*conn).Read                       net/http.(*Client).Do
                                             net/http.(*persistConn).roundTrip
      200                                    200`,
      ["goroutine/count"],
      { earlier },
    );
    expect(runRules(inUse).map(({ rule }) => rule)).toEqual(["missing-timeout"]);
  });

  it("take goroutines that wait for a fan-out if the function that started them waits for them", () => {
    const picture = (parent: string) => `
      sync.(*WaitGroup).Go.func1     net/http.(*conn).serve
      shop.notify.func1              ${parent}
      shop.send                      sync.(*WaitGroup).Wait
      time.Sleep                     runtime.gopark
      400                            2`;
    const started = (parent: string) =>
      firstOf(drawnSubject("goroutine", picture(parent), ["goroutine/count"]));
    expect(started("shop.notify")).toEqual(["unbounded-fan-out", "medium", "shop.notify.func1"]);
    expect(started("shop.close")).toBeUndefined();
  });

  it("leave servers alone that wait for their clients", () => {
    const idle =
      "net/http.(*conn).serve bufio.(*Reader).Peek net/http.(*connReader).Read net.(*conn).Read internal/poll.(*FD).Read";
    expect(runRules(goroutines(idle, 5000))).toEqual([]);
    expect(
      runRules(goroutines("net/http.(*persistConn).readLoop bufio.(*Reader).Peek net.(*conn).Read", 500)),
    ).toEqual([]);
  });
});
