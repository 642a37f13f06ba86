import type { Alert } from "./alert.ts";

type Signal = Pick<Alert, "status" | "culprit" | "increase">;

/** The signal of an incident to look at first: an open one, with a known function, that rose most. Throws without a signal. */
export function worstSignal<S extends Signal>(signals: readonly S[]): S {
  const rank = ({ status, culprit, increase }: S) => [
    Number(status === "open"),
    Number(culprit !== undefined),
    increase,
  ];
  const [worst] = signals.toSorted((a, b) => {
    const [one, other] = [rank(a), rank(b)];
    const differs = one.findIndex((value, index) => value !== other[index]);
    return differs < 0 ? 0 : (other[differs] ?? 0) - (one[differs] ?? 0);
  });
  if (worst === undefined) throw new TypeError("An incident has at least one signal");
  return worst;
}
