import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The token of a link from a mail, moved here from the URL: a reload needs it, copied links and logs must not have it. */
    mailToken?: string;
  }
}

type MailToken =
  | { readonly status: "loading" }
  | { readonly status: "missing" }
  | { readonly status: "present"; readonly token: string };

/** The token of the link that opened this page. Removes it from the URL. */
export function useMailToken(): MailToken {
  const { token: fromUrl } = useSearch({ strict: false });
  const moved = useLocation({ select: ({ state }) => state.mailToken });
  const navigate = useNavigate();
  useEffect(() => {
    if (fromUrl === undefined) return;
    void navigate({ to: ".", search: {}, state: { mailToken: fromUrl }, replace: true });
  }, [fromUrl, navigate]);
  if (fromUrl !== undefined) return { status: "loading" };
  return moved === undefined ? { status: "missing" } : { status: "present", token: moved };
}
