import { limits, listServices } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { callQuery } from "#api/call-query.ts";
import { dateText } from "#format/time.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { betweenRange, boundsOf, searchOfRange } from "#time-range/view-range.ts";
import { Button } from "#ui/controls/button.tsx";

interface ShowLatestProps {
  /** A part of the names of services. */
  readonly text: string;
  readonly isWholeName?: boolean;
}

/** Opens the day of the newest profile of a service with the text in its name, for recordings that are older than the range. */
export function ShowLatest({ text, isWholeName = false }: ShowLatestProps) {
  const navigate = useNavigate();
  const { range } = useTimeRange();
  // The whole name comes first by name.
  const order = isWholeName ? "name" : "activity";
  const query = { since: `${limits.sinceDaysMax}d`, q: text, order, limit: 10 } as const;
  const { data } = useQuery(callQuery(["services", "ever", query], listServices, { query }));
  const latest = data?.services.find(({ name }) => !isWholeName || name === text)?.last_activity;
  const latestMs = Date.parse(latest ?? "");
  if (!(latestMs < boundsOf(range, Date.now()).fromMs)) return null;
  const around = betweenRange(latestMs - dayMs / 2, latestMs + dayMs / 2);
  if (around === undefined) return null;
  // Not the choice for other pages.
  const search = (before: Record<string, unknown>) => ({ ...before, ...searchOfRange(around) });
  return (
    <Button onClick={() => void navigate({ to: ".", search })}>Show the latest, of {dateText(latest)}</Button>
  );
}
