import { shareRule } from "#rules/call-rule.ts";
import { goVersionOf } from "#rules/go-version.ts";

/** Below this, a few percent of CPU are not worth a change of the build. */
const coresMin = 0.3;

export const missingPgo = shareRule({
  id: "missing-pgo",
  name: "Build with profile-guided optimization",
  isWholeProgram: true,
  looksAt:
    "CPU in application code itself, of programs that use a third of a core or more. A profile does not tell how it was built.",
  select: (subject) => {
    const isWorthIt = (subject.cores ?? 0) >= coresMin && goVersionOf(subject).from >= 21;
    return isWorthIt ? subject.main.endingInApplication() : undefined;
  },
  from: { low: 0.4, medium: Number.POSITIVE_INFINITY },
  confidence: 0.3,
  saves: 0.05,
  issue: ({ share }) => `The program's own code takes ${share}: use profile-guided optimization`,
  impact: ({ cost }) =>
    `It uses about ${cost}. Without a profile, the compiler inlines less than it could: profile-guided optimization typically saves 2 to 14% of CPU without a change of code. A profile does not show whether the build uses it already.`,
  solution:
    "Merge CPU profiles of production into default.pgo in the folder of package main (go tool pprof -proto a b > default.pgo) and build with Go 1.21 or newer: -pgo=auto is the default. Renew it every few releases.",
  example: `import (
	"net/http"
	"runtime/pprof"
	"time"
)

// recordPGO answers with a CPU profile. Saved as default.pgo in the folder of
// package main, it is used by the next go build without a flag:
//
//	curl -o default.pgo "http://localhost:6060/profile?seconds=60"
//	go build ./cmd/server
func recordPGO(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/octet-stream")
	if err := pprof.StartCPUProfile(w); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	time.Sleep(60 * time.Second)
	pprof.StopCPUProfile()
}
`,
});
