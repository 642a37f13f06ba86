import { useCanGoBack, useNavigate, useRouter } from "@tanstack/react-router";
import { useState } from "react";

/**
 * Goes back to the page before this one, past the zooms and tabs that the browser's own button undoes one by one. Goes to the
 * list of profiles if the page was opened by an external link.
 *
 * @param page identifies the page, because the router keeps the component when only a parameter changes
 */
export function useGoBack(page: string): () => void {
  const { history } = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  const entry = history.location.state.__TSR_index;
  const [start, setStart] = useState({ page, entry });
  if (start.page !== page) setStart({ page, entry });
  return () => {
    const first = Math.min(start.entry, history.location.state.__TSR_index);
    if (canGoBack && first > 0) history.go(first - 1 - history.location.state.__TSR_index);
    else void navigate({ to: "/profiles", search: { view: "profiles" } });
  };
}
