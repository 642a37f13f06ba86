import { Share2 } from "lucide-react";
import { Suspense, useState } from "react";
import { lazyPart } from "#api/import-page.ts";
import { type PageAddress, usePageAddress } from "#time-range/page-address.ts";
import { Button } from "#ui/controls/button.tsx";
import { copyAndReport } from "#ui/overlays/copy-and-report.ts";
import type { Shared } from "./shared.ts";

const ShareDialog = lazyPart(async () => (await import("./share-dialog.tsx")).ShareDialog);

interface ShareButtonProps {
  readonly label: string;
  /** The report that the address was copied. */
  readonly copied: string;
  /** Undefined if there is no graph to share. */
  readonly shared: () => Shared | undefined;
  /** Changes the address of the page into one that shows the same times later. */
  readonly fixAddress?: (href: string) => string;
  readonly className?: string;
}

interface Opened {
  readonly address: PageAddress;
  readonly shared: Shared | undefined;
}

/** Copies the address of the view for colleagues, and offers a public link. */
export function ShareButton({ label, copied, shared, fixAddress, className }: ShareButtonProps) {
  const [opened, setOpened] = useState<Opened>();
  const addressNow = usePageAddress();

  function share() {
    const page = addressNow();
    const address = fixAddress === undefined ? page : { fixed: fixAddress(page.fixed) };
    void copyAndReport(address.fixed, copied);
    setOpened({ address, shared: shared() });
  }

  return (
    <>
      <Button {...(className !== undefined && { className })} onClick={share}>
        <Share2 aria-hidden className="size-4" strokeWidth={1.75} />
        <span className="max-sm:sr-only">{label}</span>
      </Button>
      {opened && (
        <Suspense>
          <ShareDialog {...opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </>
  );
}
