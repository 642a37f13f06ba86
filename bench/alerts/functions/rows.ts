import type { Random } from "#random";
import type { FunctionStory } from "./service.ts";

export interface FunctionRow {
  readonly name: string;
  readonly kind: "quiet" | "worse";
  /** Services of one seed. */
  readonly services: number;
  readonly make: (random: Random) => FunctionStory;
  /** Alerts before that are not counted: nobody has seen the habit twice. */
  readonly learnsDays?: number;
  /** The doubling counts as found until then. */
  readonly withinHours?: number;
  /** The most false signals per service and month, or the fewest found of 12. */
  readonly bar: number;
}

const day = 24;
const week = 7 * day;
const isWeekend = (hour: number) => Math.floor(hour / day) % 7 >= 5;
const wave = (hour: number) => 1 + 0.6 * Math.sin((2 * Math.PI * hour) / day);
const weekly = (hour: number) => wave(hour) * (isWeekend(hour) ? 0.6 : 1);
const steady = () => 1;

const busy = 36_000;

const quiet = (name: string, story: (random: Random) => Partial<FunctionStory>): FunctionRow => ({
  name: `functions: ${name}`,
  kind: "quiet",
  services: 4,
  make: (random) => ({ days: 30, samplesPerHour: busy, load: weekly, noise: 0.1, ...story(random) }),
  bar: 0.5,
});

/** A function that doubles at a random time of a day, while the service stays constant. */
const doubled = (
  name: string,
  withinHours: number,
  {
    share = 0.12,
    daysBefore = 5,
    ...story
  }: Partial<FunctionStory> & { readonly share?: number; readonly daysBefore?: number },
): FunctionRow => ({
  name: `functions: ${name}`,
  kind: "worse",
  services: 12,
  make: (random) => ({
    days: daysBefore + 4,
    samplesPerHour: busy,
    load: weekly,
    noise: 0.1,
    ...story,
    doubling: { atHour: daysBefore * day + Math.floor(random.between(0, day)), share, factor: 2 },
  }),
  withinHours,
  bar: 12,
});

/** A job of some functions, for some hours of a day or of a week. */
const job = (everyHours: number, lastsHours: number, factor: number) => (random: Random) => {
  const at = Math.floor(random.between(0, everyHours - lastsHours));
  return (index: number, hour: number) => {
    const since = (hour - at + everyHours) % everyHours;
    return index % 20 === 7 && since < lastsHours ? factor : 1;
  };
};

/** Ten functions work three times as much for an hour and a half after each release, which changes nothing. */
const warmUps = (random: Random) => {
  const offset = Math.floor(random.between(0, 2 * day));
  return (index: number, hour: number) => {
    const since = (hour + offset) % (2 * day);
    return index % 20 === 3 && since < 2 ? 3 : 1;
  };
};

export const functionRows: readonly FunctionRow[] = [
  quiet("steady", () => ({ load: steady })),
  quiet("weekly traffic", () => ({})),
  quiet("noise of 30% by the hour", () => ({ noise: 0.3 })),
  quiet("1,000 samples an hour", () => ({ samplesPerHour: 1000 })),
  quiet("60 samples an hour", () => ({ samplesPerHour: 60 })),
  quiet("60 samples an hour, steady, noise of 30%", () => ({ samplesPerHour: 60, noise: 0.3, load: steady })),
  quiet("a job of 4 h each night", (random) => ({ habit: job(day, 4, 4)(random) })),
  {
    ...quiet("a job of 4 h each week, from day 7 on", (random) => ({
      days: 37,
      habit: job(week, 4, 4)(random),
    })),
    learnsDays: 7,
  },
  quiet("releases that warm up", (random) => ({ habit: warmUps(random) })),
  doubled("12% twice as much, steady", 24, { load: steady }),
  doubled("12% twice as much, weekly traffic", 24, { daysBefore: 9 }),
  doubled("12% twice as much, on the third day", 24, { daysBefore: 2 }),
  doubled("3% twice as much", 24, { share: 0.03, daysBefore: 9 }),
  doubled("12% twice as much, noise of 15%", 24, { noise: 0.15, daysBefore: 9 }),
  doubled("12% twice as much, 1,000 samples an hour", 24, { samplesPerHour: 1000, daysBefore: 9 }),
];
