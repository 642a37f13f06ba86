import { useLocation, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { type CurrentPage, pageAt } from "./navigation.ts";

/** Names the browser's tab after the page, so that tabs and history entries can be distinguished. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Flamekeep`;
  }, [title]);
}

export function useCurrentPage(): CurrentPage {
  const { pathname } = useLocation();
  return pageAt(useRouter(), pathname);
}
