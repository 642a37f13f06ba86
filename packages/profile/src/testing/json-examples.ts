/** As Firefox itself writes profiles, with the CPU time of the thread. */
export const firefoxExample = {
  meta: { version: 30, startTime: 1_795_197_600_000, interval: 1, sampleUnits: { threadCPUDelta: "µs" } },
  libs: [{ name: "libxul.so", start: 4096, end: 8192 }],
  threads: [
    {
      name: "GeckoMain",
      pid: 7,
      samples: {
        schema: { stack: 0, time: 1, threadCPUDelta: 2 },
        data: [
          [1, 1, 0],
          [1, 2, 900],
          [0, 3, 50],
        ],
      },
      stackTable: {
        schema: { prefix: 0, frame: 1 },
        data: [
          [null, 0],
          [0, 1],
        ],
      },
      frameTable: { schema: { location: 0, line: 1 }, data: [[0], [1, 44]] },
      stringTable: ["0x101f", "emit (resource://a.js:40:13)"],
    },
  ],
};

/** A profile of samples and one of events. */
export const speedscopeExample = {
  shared: { frames: [{ name: "main", file: "main.py", line: 3 }, { name: "encode" }] },
  profiles: [
    { type: "sampled", name: "a", unit: "seconds", samples: [[0, 1], [0]], weights: [0.01, 0.02] },
    {
      type: "evented",
      name: "b",
      unit: "milliseconds",
      startValue: 0,
      endValue: 9,
      events: [
        { type: "O", frame: 0, at: 1 },
        { type: "C", frame: 0, at: 7.5 },
      ],
    },
  ],
};
