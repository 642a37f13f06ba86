import { describe, expect, it } from "vitest";
import { readProfile } from "../read/read-profile.ts";
import { sumStacks } from "../stacks/sum-stacks.ts";
import { stacksOf } from "../testing/index.ts";
import { callSites } from "./call-sites.ts";
import { describe as describeProfile } from "./describe.ts";
import { creatorOf, goroutineGroups, goroutineStateOf } from "./goroutine-state.ts";
import { recordedGoroutines } from "./recorded-goroutines.ts";

describe("the state of a goroutine", () => {
  it.each([
    ["chan receive", "runtime.gopark runtime.chanrecv runtime.chanrecv2 main.work"],
    ["chan send", "runtime.gopark runtime.chansend runtime.chansend1 main.work"],
    ["select", "runtime.gopark runtime.selectgo net/http.(*persistConn).writeLoop"],
    ["select (no cases)", "runtime.gopark runtime.block main.main runtime.main"],
    [
      "IO wait",
      "runtime.gopark runtime.netpollblock internal/poll.runtime_pollWait internal/poll.(*pollDesc).wait internal/poll.(*FD).Read net.(*conn).Read",
    ],
    ["sleep", "runtime.gopark time.Sleep main.tick"],
    [
      "sync.Mutex.Lock",
      "runtime.gopark runtime.goparkunlock runtime.semacquire1 internal/sync.runtime_SemacquireMutex internal/sync.(*Mutex).lockSlow internal/sync.(*Mutex).Lock sync.(*Mutex).Lock main.reserve",
    ],
    [
      "sync.RWMutex.Lock",
      "runtime.gopark runtime.semacquire1 sync.runtime_SemacquireMutex sync.(*Mutex).lockSlow sync.(*Mutex).Lock sync.(*RWMutex).Lock main.put",
    ],
    [
      "sync.WaitGroup.Wait",
      "runtime.gopark runtime.semacquire1 sync.runtime_SemacquireWaitGroup sync.(*WaitGroup).Wait main.main",
    ],
    [
      "sync.Cond.Wait",
      "runtime.gopark runtime.goparkunlock sync.runtime_notifyListWait sync.(*Cond).Wait main.queue",
    ],
    ["semacquire", "runtime.gopark runtime.semacquire1 sync.runtime_Semacquire main.odd"],
    ["syscall", "internal/runtime/syscall.Syscall6 syscall.Syscall syscall.read os.(*File).Read"],
    ["syscall", "runtime.notetsleepg os/signal.signal_recv os/signal.loop"],
    ["GC", "runtime.gopark runtime.gcBgMarkWorker"],
    ["runnable", "runtime.gopreempt_m runtime.asyncPreempt2 main.spin"],
    ["running", "runtime.goroutineProfileWithLabels runtime/pprof.writeGoroutine main.main"],
    ["running", "main.chanrecv runtime.chanrecv"],
    ["syscall", "syscall.read syscall.Read internal/poll.(*FD).Read net.(*netFD).Read"],
    ["syscall", "golang.org/x/sys/unix.EpollWait main.loop"],
    ["unknown", ""],
  ])("is %s for %s", (state, stack) => {
    expect(
      goroutineStateOf(
        stack.split(" ").filter((name) => name !== ""),
        true,
      ),
    ).toBe(state);
  });

  it.each([
    ["not recorded", "main.work main.main"],
    ["not recorded", "0x491ca1 main.main"],
    ["IO wait", "internal/poll.runtime_pollWait internal/poll.(*FD).Read net.(*conn).Read"],
    ["syscall", "syscall.Syscall syscall.read os.(*File).Read"],
    ["running", "runtime/pprof.runtime_goroutineProfileWithLabels runtime/pprof.writeGoroutine main.main"],
  ])("is %s for %s of a text without the runtime's leaves", (state, stack) => {
    expect(goroutineStateOf(stack.split(" "), false)).toBe(state);
  });

  it("is not recorded where no name is known", () => {
    expect(goroutineStateOf(["0x491ca1"], true)).toBe("not recorded");
  });
});

describe("the creator of a goroutine", () => {
  it.each([
    ["main.serve.func2", "main.serve"],
    ["net/http.(*Server).Serve.gowrap3", "net/http.(*Server).Serve"],
    ["github.com/acme/shop.(*Pool[...]).Start.func1.2", "github.com/acme/shop.(*Pool[...]).Start"],
    ["main.(*Payments).work", undefined],
    ["main.glob..func1", undefined],
    ["main.func1", undefined],
    ["", undefined],
  ])("of one that began with %s is %s", (first, creator) => {
    expect(creatorOf(first)).toBe(creator);
  });

  it("takes no longer for a hostile name than its length", () => {
    expect(creatorOf(`main.f${".1".repeat(500_000)}`)).toBe("main.f");
  });
});

describe("groups of goroutines", () => {
  const dump = `goroutine 1 [sleep, 3 minutes]:
main.work()
\t/shop/main.go:7 +0x28
created by main.start in goroutine 2

goroutine 3 [runnable]:
main.work()
\t/shop/main.go:7 +0x28
created by main.start in goroutine 2

goroutine 4 [sleep, 12 minutes]:
main.work()
\t/shop/main.go:7 +0x28
created by main.retry in goroutine 2
`;

  it("have the states, creators and waits that a goroutine dump records", () => {
    const read = readProfile(new TextEncoder().encode(dump));
    if (!read.ok) throw new Error(read.error.message);
    const recorded = recordedGoroutines(read.profile, 0);
    const groups = goroutineGroups(sumStacks(read.profile), 0, recorded);
    expect(
      groups.map(({ state, states, creator, waitMinutes }) => [state, [...states], creator, waitMinutes]),
    ).toEqual([
      [
        "sleep",
        [
          ["sleep", 2],
          ["runnable", 1],
        ],
        "main.start",
        12,
      ],
    ]);
    expect(describeProfile(read.profile, "goroutine").topWaits).toMatchObject([
      { name: "main.work", reason: "sleep", value: 3 },
    ]);
  });

  it("are derived from functions where some goroutine has no state among its labels", () => {
    const read = readProfile(new TextEncoder().encode(dump));
    if (!read.ok) throw new Error(read.error.message);
    const { labels, samples } = read.profile;
    const without = {
      ...read.profile,
      samples: { ...samples, labelStart: new Uint32Array(samples.length + 1) },
    };
    expect(labels.length).toBeGreaterThan(0);
    expect(recordedGoroutines(without, 0)).toBeUndefined();
  });

  it("have a state, the waiting frame, an entry and a creator, most goroutines first", () => {
    const stacks = stacksOf(`
      main.run.func1    net/http.(*conn).serve        runtime.main
      shop.work         bufio.Fill                    main.main
      runtime.chanrecv2 internal/poll.runtime_pollWait
      runtime.gopark    runtime.gopark
      2                 30                            1`);
    const names = stacks.frames.functionName;
    const groups = goroutineGroups(stacks, 0).map(({ state, count, entry, creator, at }) => [
      state,
      count,
      names[entry!],
      creator,
      names[at!],
    ]);
    expect(groups).toEqual([
      ["IO wait", 30, "net/http.(*conn).serve", undefined, "bufio.Fill"],
      ["chan receive", 2, "main.run.func1", "main.run", "shop.work"],
      ["running", 1, "runtime.main", undefined, "main.main"],
    ]);
  });

  it("have no state that Go's text leaves out", () => {
    const text = new TextEncoder().encode(`goroutine profile: total 6
3 @ 0x47 0x48
#\t0x48\tmain.work+0x28\t/shop/main.go:7

2 @ 0x49 0x4a
#\t0x49\ttime.Sleep+0x10\t/go/time/sleep.go:3
#\t0x4a\tmain.tick+0x28\t/shop/main.go:9

1 @ 0x4b 0x4c
#\t0x4b\truntime.forever+0x10\t/go/runtime/proc.go:3
#\t0x4c\truntime.main+0x28\t/go/runtime/proc.go:9
`);
    const read = readProfile(text);
    if (!read.ok) throw new Error(read.error.message);
    const groups = goroutineGroups(sumStacks(read.profile), 0);
    expect(groups.map(({ state, count }) => [state, count])).toEqual([
      ["not recorded", 3],
      ["sleep", 2],
      ["not recorded", 1],
    ]);
  });
});

describe("call sites of waits", () => {
  it("are the first lines above sync and the runtime, with all their stacks summed", () => {
    const stacks = stacksOf(
      `
      main.a                       main.b                       main.c            runtime.gcBgMarkWorker
      shop.Reserve@ledger.go:7     shop.Reserve@ledger.go:7     runtime.selectgo  runtime.unlock
      sync.(*Mutex).Unlock         sync.(*Mutex).Unlock
      3,300                        1,700                        5,50              1,2`,
      { sampleTypes: ["contentions/count", "delay/nanoseconds"] },
    );
    const names = stacks.frames.functionName;
    const sites = callSites(stacks, 0, 1).map(
      ({ frame, operation, kind, contentions, delay, stackCount, longestStack }) => [
        names[frame!],
        operation,
        kind,
        contentions,
        delay,
        stackCount,
        names[stacks.frame[stacks.start[longestStack + 1] - 1]],
      ],
    );
    expect(sites).toEqual([
      ["shop.Reserve", "sync.(*Mutex).Unlock", "mutex", 4, 1000, 2, "main.b"],
      ["main.c", "runtime.selectgo", "select", 5, 50, 1, "main.c"],
      ["runtime.gcBgMarkWorker", "runtime.unlock", "runtime lock", 1, 2, 1, "runtime.gcBgMarkWorker"],
    ]);
  });
});
