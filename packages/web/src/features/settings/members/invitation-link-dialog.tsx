import type { createInvitation, ReplyOf } from "@flamekeep/contract";
import { Button } from "#ui/controls/button.tsx";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";

interface InvitationLinkDialogProps {
  readonly created: ReplyOf<typeof createInvitation>;
  readonly onClose: () => void;
}

const deliveries = {
  "link only": "Send this link to the person you invite.",
  sending: "It is also on its way by mail.",
  outbox: "This server sends no mail: hand the link over yourself.",
};

export function InvitationLinkDialog({ created, onClose }: InvitationLinkDialogProps) {
  return (
    <Dialog
      isOpen
      isDismissible={false}
      onOpenChange={(open) => !open && onClose()}
      title="Invitation created"
      description={created.invitation.email ?? "Anyone with the link can join"}
    >
      <div className="flex items-center gap-1 rounded-control border border-line-strong bg-bg py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 break-all font-mono text-code" data-testid="invitation-link">
          {created.url}
        </code>
        <CopyButton text={created.url} label="Copy link" />
      </div>
      <p className="mt-4 text-muted">
        {deliveries[created.delivery]} The link is shown only now and works once.
      </p>
      <div className="mt-5 flex justify-end">
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
