import { useCanGoBack, useNavigate, useRouter } from "@tanstack/react-router";

/** The page before; for who came by a link from elsewhere, and has none here, the list of profiles. */
export function useGoBack(): () => void {
  const { history } = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  return () => {
    if (canGoBack) history.back();
    else void navigate({ to: "/profiles", search: { view: "profiles" } });
  };
}
