import { deleteOrganization, type Organization } from "@flamekeep/contract";
import { call } from "#api/call.ts";
import { DeleteByNameForm } from "#settings/delete-by-name-form.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { useAfterLeaving } from "./use-after-leaving.ts";

interface DeleteOrganizationDialogProps {
  readonly organization: Organization;
  readonly onClose: () => void;
}

export function DeleteOrganizationDialog({ organization, onClose }: DeleteOrganizationDialogProps) {
  const { name } = organization;
  const goOn = useAfterLeaving();
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${name}?`}
      description="All profiles, keys, alerts and analyses are removed and cannot be restored. Everybody loses access at once; accounts of people stay."
    >
      <DeleteByNameForm
        name={name}
        what="organization"
        remove={(confirm) => call(deleteOrganization, { body: { confirm } })}
        onDeleted={goOn}
        onCancel={onClose}
      />
    </Dialog>
  );
}
