import { exactTime, relativeTime } from "#format/time.ts";
import { useNow } from "./use-now.ts";

/** Relative, with the exact time on hover. */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={exactTime(at)} className="whitespace-nowrap">
      {relativeTime(at, now)}
    </time>
  );
}
