import { RouterProvider } from "@tanstack/react-router";
import { useEffect } from "react";
import { router } from "./routes.tsx";
import { useSession } from "./session/session.ts";
import { FullPageSpinner } from "./ui/content/spinner.tsx";

/** Routes decide by the session, so they wait for it, and decide again whenever it changes. */
export function App() {
  const { status } = useSession();

  useEffect(() => {
    if (status !== "loading") void router.invalidate();
  }, [status]);

  return status === "loading" ? <FullPageSpinner /> : <RouterProvider router={router} />;
}
