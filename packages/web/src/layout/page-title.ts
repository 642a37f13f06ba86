import { useEffect } from "react";

/** Names the browser's tab after the page, so that several of them and the history can be told apart. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Flamekeep`;
  }, [title]);
}
