import type { Fraction, LabelTotal } from "@flamekeep/profile";
import { judgedRule } from "#rules/call-rule.ts";
import type { Subject } from "#rules/subject.ts";
import { percent } from "#rules/text.ts";

/** From this share on one value dominates, if there are several others. */
const dominantShare: Fraction = 0.6;
const valuesMin = 4;
/** Longer values are texts of users or keys, and no help in a sentence. */
const valueLengthMax = 60;

export const labelSkew = judgedRule({
  id: "label-skew",
  name: "One label value causes most of it",
  types: ["custom"],
  category: "other",
  looksAt: "Totals by label: whether one of several values has most of the profile.",
  select: (subject) =>
    dominant(subject) === undefined ? undefined : subject.main.throughApplication(() => true),
  judge: () => "low",
  confidence: 0.7,
  saves: 0,
  issue: ({ subject }) => {
    const { key, value, share } = dominant(subject)!;
    return `${key} = ${value} has ${percent(share)} of the profile: limit or isolate it`;
  },
  impact: ({ where, share }) => `${where} causes ${share}. All other values of the label share its limits.`,
  solution: ({ subject }) => {
    const { key, value } = dominant(subject)!;
    return `Look at the flame graph for ${key} = ${value} alone. If it is a tenant or a route, limit its share of workers and connections, or give it instances; if it is a key, look for the loop that produces it.`;
  },
  example: `import "sync"

// limiter lets each tenant use a part of the slots only, so that one tenant
// cannot take all of them.
type limiter struct {
	mu        sync.Mutex
	inUse     map[string]int
	perTenant int
}

func (l *limiter) acquire(tenant string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inUse[tenant] >= l.perTenant {
		return false
	}
	l.inUse[tenant]++
	return true
}

func (l *limiter) release(tenant string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inUse[tenant]--; l.inUse[tenant] == 0 {
		delete(l.inUse, tenant)
	}
}
`,
});

/** The value with most of a label's total, of labels with enough values. */
function dominant({ labels, main }: Subject): { key: string; value: string; share: Fraction } | undefined {
  const byKey = Map.groupBy(labels.labels, ({ key }) => key);
  for (const [key, values] of byKey) {
    if (values.length < valuesMin) continue;
    const totalOf = (label: LabelTotal) => label.totals.at(-1) ?? 0;
    const label = values.reduce((most, one) => (totalOf(one) > totalOf(most) ? one : most));
    const share = main.total > 0 ? totalOf(label) / main.total : 0;
    if (share >= dominantShare && share <= 1)
      return { key, value: label.value.slice(0, valueLengthMax), share };
  }
  return undefined;
}
