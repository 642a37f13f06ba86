import { callRule } from "#rules/call-rule.ts";
import { logging } from "#rules/loggers.ts";

export const loggingCost = callRule({
  id: "logging-cost",
  name: "Logging in hot code",
  looksAt: "CPU in log, log/slog, zap, zerolog, logrus and klog below application code.",
  select: ({ main }) => main.throughOutermost(logging),
  // One line per request is a few percent at most.
  from: { low: 0.03, medium: 0.07, high: 0.2 },
  confidence: 0.9,
  saves: 0.8,
  issue: ({ where }) =>
    `${where} logs in hot code. Every line is formatted and written with a system call while the request waits.`,
  impact: () => "Lines that are not written, or not even formatted, cost nothing.",
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
