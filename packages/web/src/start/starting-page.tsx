import { unreachableText, useIsServerReachable } from "#api/reachability.ts";
import { FullPageSpinner } from "#ui/content/spinner.tsx";

let hasRendered = false;

/** From now on a page that loads shows a spinner. Before, index.html shows the outline of a page while #root is empty. */
export function endStart(): void {
  hasRendered = true;
}

export function StartingPage() {
  const isReachable = useIsServerReachable();
  if (!hasRendered) return null;
  return (
    <FullPageSpinner
      label={isReachable ? "Loading" : `${unreachableText()}. This page opens as soon as the server answers.`}
    />
  );
}
