import { useLocation, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { type CurrentPage, pageAt } from "./navigation.ts";

/**
 * Names the browser's tab after the page, so that tabs and history entries can be distinguished. A step of a page that names the tab gives
 * the page its name back when it ends.
 */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return;
    const before = document.title;
    document.title = `${title} · Flamekeep`;
    return () => {
      document.title = before;
    };
  }, [title]);
}

export function useCurrentPage(): CurrentPage {
  const { pathname } = useLocation();
  return pageAt(useRouter(), pathname);
}
