import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const deferring = functions(
  "runtime.{deferproc,deferprocStack,deferprocat,deferrangefunc,deferconvert,deferreturn,gopanic}",
  "runtime.gorecover",
);
/** Deferred functions that run below deferreturn are no cost of the statement. */
const overhead = functions(
  "runtime.{deferproc*,deferreturn,newdefer,popDefer,freedefer*,gopanic,recovery*}",
  "runtime.(*_panic).*",
);

export const deferInLoop = callRule({
  id: "defer-in-loop",
  name: "defer in loops",
  looksAt: "CPU in recording and running defer statements that the compiler could not inline.",
  select: ({ main }) => main.directCalls(deferring).and(overhead),
  // Ordinary defers cost nothing since Go 1.14; those in loops are recorded one by one on the heap.
  from: { low: 0.02, medium: 0.04, high: 0.15 },
  confidence: 0.85,
  saves: 0.8,
  issue: ({ where, share }) => `${where} spends ${share} on defer in a loop: move the body into a function`,
  impact:
    "Each defer is recorded separately, and nothing is released before the whole function returns. A defer outside of loops is practically free.",
  solution: ({ where }) =>
    `Move the body of the loop in ${where} into a separate function, so that its defer runs at the end of each step, or release explicitly where no panic can come in between.`,
  example: `import (
	"bufio"
	"os"
)

func countAll(paths []string) (int, error) {
	count := 0
	for _, path := range paths {
		lines, err := countLines(path)
		if err != nil {
			return 0, err
		}
		count += lines
	}
	return count, nil
}

// countLines closes its file before the next one is opened.
func countLines(path string) (int, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	count := 0
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		count++
	}
	return count, scanner.Err()
}
`,
});
