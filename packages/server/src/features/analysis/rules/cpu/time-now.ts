import { callRule } from "#rules/call-rule.ts";
import { anyOf, functions } from "#rules/match.ts";

const reading = functions("time.{Now,Since,Until,now,runtimeNow}", "runtime.nanotime*");
const formatting = functions(
  "time.{Time.Format,Time.AppendFormat,Time.String,Time.MarshalText,Time.MarshalJSON,Parse*}",
  "time.LoadLocation*",
  "time.(*Time).Unmarshal*",
);
/** Days, months and time zones are computed from a number of seconds at each call. */
const computing = functions("time.{Time.*,Date,absSeconds.*,absDays.*}", "time.(*Location).*");

export const timeNow = callRule({
  id: "time-now",
  name: "The clock read in hot code",
  looksAt:
    "CPU in reading the clock, in formatting and parsing times, and in computing with dates, where application code does it.",
  select: ({ main }) => main.directCalls(anyOf(reading, formatting, computing)),
  // Reading the clock takes about 40 ns: a percent of a core is 250,000 readings per second.
  from: { low: 0.015, medium: 0.05, high: 0.15 },
  confidence: 0.9,
  saves: 0.9,
  issue: ({ where, selection }) => {
    if (selection.and(formatting).weight > selection.weight / 2)
      return `${where} formats or parses times in hot code. Layouts are interpreted at each call, and the result is allocated.`;
    return selection.and(reading).weight < selection.weight / 2
      ? `${where} computes with dates in hot code. Days, months and time zones are derived from seconds at each call.`
      : `${where} reads the clock in hot code. time.Now takes tens of nanoseconds, in virtual machines without a fast clock source a microsecond.`;
  },
  impact: "Once per request or batch instead of once per item saves nearly all of that.",
  solution: ({ where }) =>
    `Read the clock once outside the loop and pass the time on to ${where}. Measure durations of batches instead of single items, sample, or let a ticker store the current time in an atomic where a few milliseconds do not matter. Keep formatted times and dates as long as they are the same, and store times as integers (UnixNano) where nobody reads them.`,
  example: `import "time"

type entry struct{ expires time.Time }

// removeExpired reads the clock once for all entries.
func removeExpired(entries map[string]entry, now time.Time) {
	for key, one := range entries {
		if one.expires.Before(now) {
			delete(entries, key)
		}
	}
}
`,
});
