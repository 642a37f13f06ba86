import { callRule } from "#rules/call-rule.ts";
import { logging } from "#rules/libraries.ts";
import { anyOf, functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import type { Subject } from "#rules/subject.ts";

/** How arguments of a log call are made, whether or not the line is written. */
const preparing = functions(
  "runtime.{convT*,newobject,mallocgc*,concatstring*}",
  "fmt.*",
  "strconv.*",
  "time.*",
);

/** The calls of loggers, and what the same lines of application code do for the arguments. */
function loggingWithArguments({ main }: Subject): Selection {
  const logged = main.throughOutermost(logging);
  const { stacks, innermost } = main.index;
  const lines = new Set(logged.stacks.map((_, i) => stacks.frame[logged.callerAt(i)]));
  const isLogging = main.index.flagsOf(logging);
  const isPreparing = main.index.flagsOf(preparing);
  return main.select(anyOf(logging, preparing), (from, to, stack) => {
    for (let at = to - 1; at >= from; at--) if (isLogging[main.functionAt(at)] === 1) return at;
    const caller = innermost[stack]!;
    const called = caller - 1;
    const isArgument = called >= from && isPreparing[main.functionAt(called)] === 1;
    return isArgument && lines.has(stacks.frame[caller]) ? called : -1;
  });
}

export const loggingCost = callRule({
  id: "logging-cost",
  name: "Logging in hot code",
  looksAt:
    "CPU in log, log/slog, zap, zerolog, logrus and klog below application code, and in making the arguments on the lines that log.",
  select: loggingWithArguments,
  // One line per request is a few percent at most.
  from: { low: 0.03, medium: 0.07, high: 0.2 },
  confidence: 0.9,
  saves: 0.8,
  issue: ({ where, share }) => `${where} spends ${share} on logging: log once per request, sample repeats`,
  impact:
    "Every line is formatted and written with a system call while the request waits. Lines that are not formatted or written cost nothing.",
  solution: ({ where }) =>
    `In ${where}: log once per request instead of once per item, lower the level of details to debug and guard costly arguments with logger.Enabled, sample repeated lines, and pass typed attributes (slog.Int, LogAttrs) instead of formatted text. A buffered writer in front of the file saves the system call per line.`,
  example: `import (
	"context"
	"log/slog"
)

func handleAll(ctx context.Context, logger *slog.Logger, ids []int) {
	isDebug := logger.Enabled(ctx, slog.LevelDebug)
	for _, id := range ids {
		if isDebug {
			logger.LogAttrs(ctx, slog.LevelDebug, "item", slog.Int("id", id))
		}
	}
	logger.LogAttrs(ctx, slog.LevelInfo, "items handled", slog.Int("count", len(ids)))
}
`,
});
