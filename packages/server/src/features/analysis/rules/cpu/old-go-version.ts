import { priorityOf, shareRule, type Thresholds } from "#rules/call-rule.ts";
import { goVersionOf } from "#rules/go-version.ts";
import { functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import type { Subject } from "#rules/subject.ts";

interface Gain {
  /** Minor version of Go 1 that brought it. */
  readonly since: number;
  readonly select: (subject: Subject) => Selection;
  readonly text: string;
  readonly saves: number;
}

const collection = functions("runtime.{gcBgMarkWorker,gcAssistAlloc*,gcDrain*}");
const maps = functions("runtime.map*", "internal/runtime/maps.*");
const allocation = functions("runtime.mallocgc*");

/** Gains that a profile can tell, newest first. */
const gains: readonly Gain[] = [
  {
    since: 26,
    select: ({ main }) => main.through(collection),
    text: "Go 1.26 collects garbage with the Green Tea collector, which takes 10 to 40% less CPU for the same heap",
    saves: 0.2,
  },
  {
    since: 24,
    select: ({ main }) => main.calls(maps),
    text: "Go 1.24 has Swiss-table maps, in which look-ups are up to a third faster",
    saves: 0.2,
  },
  {
    since: 26,
    select: ({ main }) => main.calls(allocation),
    text: "Go 1.26 allocates small objects up to a third faster",
    saves: 0.15,
  },
];

/** Versions before this one run in a container as if they had all processors of the machine. */
const containerAware = 25;

const from: Thresholds = { low: 0.04, medium: 0.15 };

/** The gains of an upgrade that this profile can tell, largest first. */
function gainsIn(subject: Subject) {
  const { below } = goVersionOf(subject);
  return gains
    .filter(({ since }) => below <= since)
    .map((gain) => ({ ...gain, selection: gain.select(subject) }))
    .filter(({ selection }) => priorityOf(selection, from) !== undefined)
    .sort((a, b) => b.selection.weight * b.saves - a.selection.weight * a.saves);
}

export const oldGoVersion = shareRule({
  id: "old-go-version",
  name: "An old Go version with known gains",
  isWholeProgram: true,
  looksAt: "The Go version, and the CPU in collection, maps and allocation, which newer versions do faster.",
  mayLackCaller: true,
  select: (subject) => gainsIn(subject)[0]?.selection,
  cause: (selection, { main }) => (selection.callers.length > 0 ? selection : main.calls(allocation)),
  from,
  confidence: 0.8,
  saves: ({ subject }) => gainsIn(subject)[0]?.saves ?? 0,
  issue: ({ subject, share }) => `${share} is slower on ${goVersionOf(subject).text}: upgrade Go`,
  impact: ({ subject, cost }) => {
    const [first, ...others] = gainsIn(subject).map(({ text }) => text);
    const also = others.length > 0 ? ` Further gains: ${others.join("; ")}.` : "";
    return `${first}; here that is about ${cost}.${also} An upgrade changes no code: the Go 1 promise keeps programs compiling.`;
  },
  solution: ({ subject }) =>
    `Upgrade the toolchain and run the tests and benchmarks.${goVersionOf(subject).below <= containerAware ? " From Go 1.25 on, GOMAXPROCS follows the CPU limit of the container, which also ends throttling; until then set it, or use go.uber.org/automaxprocs." : ""} Compare profiles of before and after.`,
  example: `import (
	"log/slog"
	"runtime"
)

// logRuntime logs the version that runs. After "go get go@latest" and
// "go get toolchain@latest", go.mod names the new one.
func logRuntime() {
	slog.Info("runtime", "version", runtime.Version(), "processors", runtime.GOMAXPROCS(0))
}
`,
});
