import { deleteService, type ServiceTotals } from "@flamekeep/contract";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { plural } from "#format/number.ts";
import { profileCount } from "#profile-list/service-order.ts";
import { DeleteByNameForm } from "#settings/delete-by-name-form.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";

interface DeleteServiceDialogProps {
  readonly service: ServiceTotals;
  readonly onClose: () => void;
}

export function DeleteServiceDialog({ service, onClose }: DeleteServiceDialogProps) {
  const client = useQueryClient();
  const { name } = service;
  async function forget() {
    showToast(`${name} is deleted`);
    onClose();
    // Its profiles, alerts and totals are on every page.
    await client.invalidateQueries();
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${name}?`}
      description={`${plural(profileCount(service), "profile")}, its HTTP metrics and everything derived from them are removed and cannot be restored. Programs that still send are not stopped: revoke their key first.`}
    >
      <DeleteByNameForm
        name={name}
        what="service"
        remove={(confirm) => call(deleteService, { params: { service: name }, body: { confirm } })}
        onDeleted={forget}
        onCancel={onClose}
      />
    </Dialog>
  );
}
