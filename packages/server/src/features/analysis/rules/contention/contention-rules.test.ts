import { describe, expect, it } from "vitest";
import { runRules } from "#rules/run/run-rules.ts";
import type { Subject } from "#rules/subject.ts";
import { cpuSubject, drawnSubject } from "#rules/testing/subject-of-picture.ts";

const ms = 1_000_000;

/** Ten seconds of waiting: a stack, root first, and milliseconds. */
function waits(
  type: "mutex" | "block",
  stacks: readonly (readonly [stack: string, waitedMs: number])[],
  facts = {},
): Subject {
  const width = 60;
  const columns = stacks.map(([stack, waitedMs]) => [...stack.split(" "), `1,${waitedMs * ms}`]);
  const depth = Math.max(...columns.map((column) => column.length));
  const rows = Array.from({ length: depth }, (_, row) =>
    columns
      .map((column) =>
        (row === depth - 1 ? column.at(-1)! : (row < column.length - 1 && column[row]) || "").padEnd(width),
      )
      .join(""),
  );
  return drawnSubject(type, rows.join("\n"), ["contentions/count", "delay/nanoseconds"], facts);
}

const first = (subject: Subject) => {
  const [finding] = runRules(subject);
  return finding && [finding.rule, finding.priority, finding.functions[0]!.name];
};

describe("rules about locks", () => {
  it("name the function that holds a contended mutex, by the time that others wait", () => {
    const held = (waitedMs: number) =>
      waits("mutex", [["main.serve shop.reserve sync.(*Mutex).Unlock", waitedMs]]);
    expect(first(held(6000))).toEqual(["hot-lock", "high", "shop.reserve"]);
    expect(first(held(800))).toEqual(["hot-lock", "medium", "shop.reserve"]);
    expect(first(held(50))).toBeUndefined();
    expect(runRules(held(800))[0]!.impact).toContain("100% of waiting time (80 ms per second)");
  });

  it("tell an RWMutex apart, and skip the wrapper of a deferred call", () => {
    const subject = waits("mutex", [
      ["main.serve shop.convert shop.convert.deferwrap1 sync.(*RWMutex).Unlock sync.(*Mutex).Unlock", 900],
    ]);
    expect(first(subject)).toEqual(["rwmutex-misuse", "medium", "shop.convert"]);
  });

  it("find I/O below the function that holds the lock in another profile", () => {
    const blocked = waits("block", [
      ["main.serve shop.latest net/http.(*Client).Get runtime.selectgo", 3000],
    ]);
    const stack = "main.serve shop.latest sync.(*Mutex).Unlock";
    expect(first(waits("mutex", [[stack, 900]]))).toEqual(["hot-lock", "medium", "shop.latest"]);
    expect(runRules(waits("mutex", [[stack, 900]], { related: [blocked] })).map(({ rule }) => rule)).toEqual([
      "lock-held-over-io",
    ]);
  });

  it("find I/O in what the holder of the lock calls, but not far below a handler", () => {
    const stack = "main.serve shop.latest sync.(*Mutex).Unlock";
    const rulesWith = (calls: string) => {
      const blocked = waits("block", [
        [`main.serve shop.latest ${calls} net/http.(*Client).Get runtime.selectgo`, 3000],
      ]);
      return runRules(waits("mutex", [[stack, 900]], { related: [blocked] })).map(({ rule }) => rule);
    };
    expect(rulesWith("shop.fetch")).toEqual(["lock-held-over-io"]);
    expect(rulesWith("shop.load shop.ask shop.fetch")).toEqual(["hot-lock"]);
  });

  it("name the function that logs, not the logger", () => {
    const stack = "main.serve shop.forward log.(*Logger).Printf log.(*Logger).output sync.(*Mutex).Lock";
    expect(first(waits("block", [[stack, 900]]))).toEqual(["logger-lock", "medium", "shop.forward"]);
  });

  it("go by shares if the profile covers an unknown time", () => {
    const subject = drawnSubject("custom", "main.serve\nshop.reserve\nsync.(*Mutex).Unlock\n2000000000", [
      "delay/nanoseconds",
    ]);
    expect(runRules(subject)).toEqual([]);
    const unknown = waits("mutex", [["main.serve shop.reserve sync.(*Mutex).Unlock", 900]], {
      durationNs: 0n,
    });
    expect(first(unknown)).toEqual(["hot-lock", "medium", "shop.reserve"]);
  });
});

describe("rules about channels and pools", () => {
  it("report senders that wait, and no workers that wait for work", () => {
    const send = "main.serve shop.submit runtime.chansend1";
    expect(first(waits("block", [[send, 9000]]))).toEqual(["channel-imbalance", "medium", "shop.submit"]);
    expect(runRules(waits("block", [["shop.worker runtime.chanrecv2", 9000]]))).toEqual([]);
  });

  it("report senders although requests wait longer for answers", () => {
    const send = "main.pump shop.publish runtime.chansend1";
    const answer = "net/http.(*conn).serve shop.ask runtime.chanrecv1";
    const both = waits("block", [
      [send, 3000],
      [answer, 9000],
    ]);
    expect(first(both)).toEqual(["channel-imbalance", "medium", "shop.publish"]);
  });

  it("report requests that wait for the application's own pool", () => {
    const stack = "net/http.(*conn).serve shop.quote shop.(*renderPool).get sync.(*Cond).Wait";
    expect(first(waits("block", [[stack, 2000]]))).toEqual([
      "connection-pool-wait",
      "medium",
      "shop.(*renderPool).get",
    ]);
    expect(runRules(waits("block", [["main.work shop.(*renderPool).get sync.(*Cond).Wait", 2000]]))).toEqual(
      [],
    );
  });

  it("do not take the locks of a library that does I/O for the application's", () => {
    const stack =
      "main.serve shop.ask net/http.(*Client).Do net/http.(*Transport).queueForIdleConn sync.(*Mutex).Lock";
    const blocked = waits("block", [["main.serve shop.ask net/http.(*Client).Do runtime.selectgo", 3000]]);
    const found = runRules(waits("mutex", [[stack, 900]], { related: [blocked] })).map(({ rule }) => rule);
    expect(found).not.toContain("lock-held-over-io");
  });

  it("report requests that wait for a connection", () => {
    const stack =
      "main.serve shop.address database/sql.(*DB).QueryRowContext database/sql.(*DB).conn runtime.selectgo";
    expect(first(waits("block", [[stack, 2000]]))).toEqual([
      "connection-pool-wait",
      "medium",
      "shop.address",
    ]);
    expect(first(waits("block", [[stack, 20_000]]))).toEqual([
      "connection-pool-wait",
      "high",
      "shop.address",
    ]);
  });
});

describe("a CPU profile", () => {
  it("is not judged by rules about waiting", () => {
    const subject = cpuSubject("main.serve     \nshop.reserve   \nsync.(*Mutex).Unlock\n1              ");
    expect(runRules(subject)).toEqual([]);
  });
});
