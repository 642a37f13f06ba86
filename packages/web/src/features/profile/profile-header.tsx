import type { Profile } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { Link, useCanGoBack, useNavigate, useRouter } from "@tanstack/react-router";
import { ArrowLeft, Download, Share2 } from "lucide-react";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { showToast } from "#ui/overlays/toast.tsx";
import { saveOriginal } from "./queries.ts";

export function ProfileHeader({ profile }: { readonly profile: Profile }) {
  const goBack = useGoBack();
  const download = useMutation({
    mutationFn: () => saveOriginal(profile),
    onError: (error) => showToast(`The profile was not downloaded. ${error.message}`, "critical"),
  });

  async function share() {
    try {
      await navigator.clipboard.writeText(window.location.href);
      showToast("Profile URL copied to clipboard!");
    } catch (error) {
      console.warn("The clipboard refused the address.", error);
    }
  }

  return (
    <div className="mt-2 mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 items-start gap-2">
        <Button variant="ghost" size="icon" aria-label="Back" className="-ml-2" onClick={goBack}>
          <ArrowLeft aria-hidden className="size-4" strokeWidth={1.75} />
        </Button>
        <div className="min-w-0">
          <h1 className="flex h-9 items-center gap-2 font-semibold text-page tracking-tight">
            <span>
              Profile: <span className="font-mono">{profile.profile_id.slice(0, 12)}</span>
            </span>
            <ProfileTypeBadge type={profile.display_type} />
          </h1>
          <p className="text-muted">
            <Link
              to="/profiles/service/$serviceName"
              params={{ serviceName: profile.service }}
              className="font-medium text-text hover:text-accent-text hover:underline"
            >
              {profile.service}
            </Link>{" "}
            · <RelativeTime at={profile.timestamp} />
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void share()}>
          <Share2 aria-hidden className="size-4" strokeWidth={1.75} />
          Share Profile
        </Button>
        <Button disabled={download.isPending} onClick={() => download.mutate()}>
          <Download aria-hidden className="size-4" strokeWidth={1.75} />
          {download.isPending ? "Downloading..." : "Download original"}
        </Button>
      </div>
    </div>
  );
}

/** Goes back in the history, or to the list of profiles if the page was opened by an external link. */
export function useGoBack(): () => void {
  const { history } = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  return () => {
    if (canGoBack) history.back();
    else void navigate({ to: "/profiles", search: { view: "profiles" } });
  };
}
