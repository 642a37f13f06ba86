import { expect, describe as group, it, vi } from "vitest";
import { frameFunctions } from "#names/frame-functions.ts";
import { profileOf, stacksOf } from "../testing/index.ts";
import { describe, durationText, topWaits } from "./describe.ts";

const waiting = stacksOf(`
  main.main                          main.serve                         main.serve           main.serve  main.serve
  shop.(*Ledger).Reserve             shop.(*Ledger).Reserve             shop.(*Queue).Take   main.work   main.idle
  sync.(*Mutex).Lock                 sync.(*Mutex).Lock                 runtime.chanrecv1
  internal/sync.(*Mutex).lockSlow    internal/sync.(*Mutex).lockSlow    runtime.gopark
  60                                 15                                 20                   5           0`);

function waitsOf(type: "goroutine" | "mutex" | "block" | "cpu", count = 5) {
  const weights = Float64Array.from(waiting.values[0]!, Number);
  return topWaits(waiting, weights, frameFunctions(waiting.frames), { type, whole: 100, count })?.map(
    ({ name, reason, percent, value }) => [name, reason, percent, value],
  );
}

it("names the function that waits, and the function that it called to wait as the reason", () => {
  expect(waitsOf("block")).toEqual([
    ["shop.(*Ledger).Reserve", "sync.(*Mutex).Lock", 75, 75],
    ["shop.(*Queue).Take", "runtime.chanrecv1", 20, 20],
    ["main.work", "", 5, 5],
  ]);
});

it("gives the state of goroutines as the reason", () => {
  expect(waitsOf("goroutine", 2)).toEqual([
    ["shop.(*Ledger).Reserve", "sync.Mutex.Lock", 75, 75],
    ["shop.(*Queue).Take", "chan receive", 20, 20],
  ]);
});

it("is for profiles of waiting only", () => expect(waitsOf("cpu")).toBeUndefined());

const cpuTypes = { sampleTypes: ["samples/count", "cpu/nanoseconds"] };

group("statistics of a profile", () => {
  const profile = profileOf(
    `
    main.main                    main.main                   main.main
    net/http.(*conn).serve       net/http.(*conn).serve      runtime.gcBgMarkWorker
    main.handle                  main.handle                 runtime.gcDrain
    encoding/json.Marshal        database/sql.(*DB).Query
    3,30000000                   5,50000000                  2,20000000`,
    { ...cpuTypes, durationNs: 1_000_000_000n },
  );
  const result = describe(profile, "cpu");

  it("counts samples, functions, depths, locations and hot paths", () => {
    expect(result.sampleCount).toBe(10);
    expect(result.duration).toBe("1s");
    expect(result.profileType).toBe("cpu");
    expect(result.statistics).toEqual({
      uniqueFunctions: 7,
      maxStackDepth: 4,
      avgStackDepth: 3.67,
      uniqueLocations: 7,
      hotPathCount: 3,
    });
  });

  it("lists the functions with the most self value", () => {
    expect(result.topFunctions.slice(0, 3)).toEqual([
      {
        name: "database/sql.(*DB).Query",
        file: "",
        line: 0,
        category: "database",
        selfPercent: 50,
        cumPercent: 50,
        selfValue: 5e7,
        cumValue: 5e7,
      },
      {
        name: "encoding/json.Marshal",
        file: "",
        line: 0,
        category: "json",
        selfPercent: 30,
        cumPercent: 30,
        selfValue: 3e7,
        cumValue: 3e7,
      },
      {
        name: "runtime.gcDrain",
        file: "",
        line: 0,
        category: "runtime",
        selfPercent: 20,
        cumPercent: 20,
        selfValue: 2e7,
        cumValue: 2e7,
      },
    ]);
    expect(result.topFunctions.length).toBe(5);
  });

  it("lists two functions of one name in two files", () => {
    const { statistics, topFunctions } = describe(
      profileOf(`
        main@main.js:1   main@main.js:1
        handler@a.js:10  handler@b.js:10
        90               10`),
      "cpu",
    );
    expect(statistics.uniqueFunctions).toBe(3);
    expect(
      topFunctions.map(({ name, file, selfValue, cumValue }) => [name, file, selfValue, cumValue]),
    ).toEqual([
      ["handler", "a.js", 90, 90],
      ["handler", "b.js", 10, 10],
      ["main", "main.js", 0, 100],
    ]);
  });

  it("counts the copies of a generic function as one", () => {
    const { statistics, topFunctions } = describe(
      profileOf(`
        main.main                     main.main                main.main
        slices.Max[go.shape.float64]  slices.Max[go.shape.int] slices.Max[...]
        1                             2                        4`),
      "cpu",
    );
    expect(statistics.uniqueFunctions).toBe(2);
    expect(topFunctions[0]).toMatchObject({ name: "slices.Max", selfValue: 7, selfPercent: 100 });
  });

  it("counts what has a value of the sample type, as the table of the page does", () => {
    const { statistics } = describe(
      profileOf(
        `
        main.main  main.main
        main.keep  main.drop
                   main.deeper
        1,64,1,64  9,512,0,0`,
        {
          sampleTypes: [
            "alloc_objects/count",
            "alloc_space/bytes",
            "inuse_objects/count",
            "inuse_space/bytes",
          ],
        },
      ),
      "memory",
    );
    expect(statistics).toMatchObject({
      uniqueFunctions: 2,
      maxStackDepth: 2,
      avgStackDepth: 2,
      uniqueLocations: 2,
    });
  });

  it("has no CPU time of samples without a period, and no share without a duration", () => {
    const cpuOf = (sampleTypes: string[], values: string) =>
      describe(profileOf(`\nmain.main\n${values}`, { sampleTypes }), "cpu").cpuStats;
    expect(cpuOf(["samples/count"], "3")).toEqual({
      cpuPercent: undefined,
      cpuTimeNs: undefined,
      totalSamples: 3,
    });
    expect(cpuOf(cpuTypes.sampleTypes, "3,30000000")).toMatchObject({
      cpuPercent: undefined,
      cpuTimeNs: 30_000_000,
    });
  });

  it("gives CPU time over wall time", () => {
    expect(result.cpuStats).toEqual({ cpuPercent: 10, cpuTimeNs: 100_000_000, totalSamples: 10 });
  });

  it("names notable patterns", () => {
    expect(result.callPatterns).toEqual([
      "single_hot_function",
      "gc_pressure",
      "json_heavy",
      "database_heavy",
      "http_serving",
    ]);
  });

  it("names the framework, and nothing that the profile lacks", () => {
    expect(result.context).toEqual({ goVersion: "unknown", framework: "net/http", platform: "unknown" });
  });
});

group("call patterns", () => {
  it("report deep recursion, and count it once per stack", () => {
    const deep = ["main", ...new Array(8).fill("walk")].join("\n");
    const result = describe(profileOf(`${deep}\n5`), "cpu");
    expect(result.callPatterns).toContain("deep_recursion");
    expect(result.topFunctions[0]).toMatchObject({ name: "walk", selfValue: 5, cumValue: 5 });
    const shallow = ["main", ...new Array(7).fill("walk")].join("\n");
    expect(describe(profileOf(`${shallow}\n5`), "cpu").callPatterns).not.toContain("deep_recursion");
  });

  it("report goroutines that pile up in one place", () => {
    const picture = "main.main\nmain.park\nruntime.chanrecv1\n";
    const facts = { sampleTypes: ["goroutine/count"] };
    expect(describe(profileOf(`${picture}5000`, facts), "goroutine").callPatterns).toEqual([
      "goroutine_pileup",
      "channel_blocking",
    ]);
    expect(describe(profileOf(`${picture}50`, facts), "goroutine").callPatterns).not.toContain(
      "goroutine_pileup",
    );
  });

  it("report a hot function if its leaf costs, and not if it only waits", () => {
    const hot = profileOf("main.work\nmain.encode\n2");
    expect(describe(hot, "cpu").callPatterns).toEqual(["single_hot_function"]);
    expect(describe(hot, "memory").callPatterns).toEqual(["single_hot_function"]);
    const waiting = profileOf("main.work\nruntime.selectgo\n2");
    for (const type of ["mutex", "block", "goroutine", "custom"] as const) {
      expect(describe(waiting, type).callPatterns).not.toContain("single_hot_function");
    }
  });

  it("report locks in mutex and block profiles", () => {
    const facts = { sampleTypes: ["contentions/count", "delay/nanoseconds"] };
    const profile = profileOf("main.work\nsync.(*Mutex).Unlock\n2,900", facts);
    expect(describe(profile, "mutex").callPatterns).toContain("lock_contention");
  });

  it("are empty for an empty profile", () => {
    const result = describe({ ...profileOf("main\n0") }, "cpu");
    expect(result.callPatterns).toEqual([]);
    expect(result.topFunctions).toEqual([]);
  });
});

group("shares of functions", () => {
  it("are not rounded, so that one decimal of them is that of the exact share", () => {
    const picture = "main.main  main.main\nmain.a     main.b\n40247      59753";
    const { topFunctions, topWaits } = describe(
      profileOf(picture, { sampleTypes: ["delay/nanoseconds"] }),
      "block",
    );
    expect(topFunctions[1]).toMatchObject({ name: "main.a", selfPercent: (40_247 / 100_000) * 100 });
    expect(topFunctions[1]?.selfPercent.toFixed(1)).toBe("40.2");
    expect(topWaits?.[1]?.percent.toFixed(1)).toBe("40.2");
  });
});

group("statistics of a difference", () => {
  const picture = `
    main.main  main.main  main.main
    main.a     main.b     main.c
    100        -102       1`;
  const result = describe(profileOf(picture, { sampleTypes: ["goroutine/count"] }), "goroutine");

  it("are shares of the sum of absolute values, as in go tool pprof", () => {
    const shares = result.topFunctions.map(({ name, selfPercent, cumPercent }) => [
      name,
      selfPercent,
      cumPercent,
    ]);
    const ofWhole = (value: number) => (value / 203) * 100;
    expect(shares).toEqual([
      ["main.b", ofWhole(-102), ofWhole(-102)],
      ["main.a", ofWhole(100), ofWhole(100)],
      ["main.c", ofWhole(1), ofWhole(1)],
      ["main.main", 0, ofWhole(-1)],
    ]);
  });

  it("contain the difference of the samples, and count removed stacks among the hot paths", () => {
    expect(result.sampleCount).toBe(-1);
    expect(result.statistics.hotPathCount).toBe(2);
  });
});

group("context", () => {
  it("looks at each function name and file once, however many frames have them", () => {
    const lines = (count: number) =>
      profileOf(`${Array.from({ length: count }, (_, i) => `main.work@a_linux.go:${i + 1}`).join("\n")}\n1`);
    const looks = (count: number) => {
      const profile = lines(count);
      const indexOf = vi.spyOn(String.prototype, "indexOf");
      const { context } = describe(profile, "cpu");
      const calls = indexOf.mock.calls.length;
      indexOf.mockRestore();
      expect(context.platform).toBe("linux");
      return calls;
    };
    const few = looks(2);
    expect(few).toBeGreaterThan(0);
    expect(looks(500)).toBe(few);
  });

  it("is found in paths, comments and mappings", () => {
    const picture = `
      runtime.futex@/home/dev/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.23.4.linux-amd64/src/runtime/sys_linux_amd64.s:558
      github.com/gin-gonic/gin.(*Context).Next
      1`;
    const { context } = describe(profileOf(picture), "cpu");
    expect(context).toEqual({ goVersion: "go1.23.4", framework: "gin", platform: "linux/amd64" });
    expect(describe(profileOf("main\n1", { comments: ["built with go1.24"] }), "cpu").context.goVersion).toBe(
      "go1.24",
    );
  });

  it("is not read from the files and functions of programs that are not in Go", () => {
    const python = profileOf("main@/app/x_arm.py:1\nwork@/app/build_windows_386.py:2\n1");
    expect(describe(python, "cpu").context).toEqual({
      goVersion: "unknown",
      framework: "unknown",
      platform: "unknown",
    });
    const ruby = profileOf("main@/app/main.rb:1\nnet/http.start@/usr/lib/ruby/net/http.rb:2\n1");
    expect(describe(ruby, "cpu").context.framework).toBe("unknown");
    const withC = profileOf(
      "main.main@/app/main.go:1\nmain.run@/app/run_linux.go:1\ncodec@/app/codec_arm.c:2\n1",
    );
    expect(describe(withC, "cpu").context.platform).toBe("linux");
  });

  it.each([
    ["/home/dev/sdk/go1.22.4/src", "go1.22.4"],
    ["/home/dev/sdk/go1.26rc1/src", "go1.26rc1"],
    ["/home/dev/.gimme/versions/go1.18.1-dd1.linux.arm64/src", "go1.18.1"],
    ["/home/dev/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.25.3.linux-amd64/src", "go1.25.3"],
    ["/opt/hostedtoolcache/go/1.26.0/x64/src", "go1.26.0"],
    ["/opt/homebrew/Cellar/go/1.25.5/libexec/src", "go1.25.5"],
    ["/usr/local/Cellar/go/1.15.7_1/libexec/src", "go1.15.7"],
    ["/opt/homebrew/opt/go@1.24/libexec/src", "go1.24"],
    ["/home/dev/.asdf/installs/golang/1.20.5/go/src", "go1.20.5"],
    ["/home/dev/.local/share/mise/installs/go/1.26.1/src", "go1.26.1"],
    ["/nix/store/0c5b-go-1.21.4/share/go/src", "go1.21.4"],
    ["/usr/lib/go-1.24/src", "go1.24"],
    ["/usr/local/go/src", "unknown"],
    ["/srv/cargo/1.70.0/src", "unknown"],
  ])("finds in %s the version %s", (folder, version) => {
    const picture = `runtime.main@${folder}/runtime/proc.go:283\n1`;
    expect(describe(profileOf(picture), "cpu").context.goVersion).toBe(version);
  });
});

it("durations are short text", () => {
  const texts = [0, -5, 2.5e8, 1.5e9, 3.012e10, 3.1e11, 7.5e12].map(durationText);
  expect(texts).toEqual(["unknown", "unknown", "250ms", "1.5s", "30.12s", "5m10s", "2h5m"]);
});
