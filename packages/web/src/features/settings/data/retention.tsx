import { getOrganizationLimits, type getRetention, type ReplyOf, updateRetention } from "@flamekeep/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
import { serverText } from "#api/reply.ts";
import { plural } from "#format/number.ts";
import { LimitList } from "#limits/limit-list.tsx";
import { useIsAdmin } from "#session/session.ts";
import { AdminNote } from "#settings/parts/parts.tsx";
import { retentionQuery } from "#settings/parts/queries.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel, PanelCard } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { daysOf, draftOf, fewerDaysText, keptDays, problemsOf, shortens } from "./model.ts";
import { Services } from "./services.tsx";

const limitsQuery = callQuery(["organization-limits"], getOrganizationLimits);

/** The limits of the organization and their usage, for its admins. */
function OrganizationLimits() {
  const query = useQuery(limitsQuery);
  return (
    <PanelCard
      title="Limits"
      detail="Usage of your organization. Only the operator of the server can change limits."
      query={query}
      loading={<Skeleton className="mx-4 mb-4 h-24" />}
      errorTitle="Failed to load the limits"
    >
      {({ limits }) => (
        <div className="border-line border-t px-4 py-4">
          <LimitList limits={limits} />
        </div>
      )}
    </PanelCard>
  );
}

/** How long the organization's data is kept. */
function Retention() {
  const query = useQuery(retentionQuery);
  const isAdmin = useIsAdmin();
  return (
    <Card>
      <CardHeader
        title="Retention"
        detail="Retention of your organization's profiles, HTTP metrics and timelines."
        actions={!isAdmin && <AdminNote />}
      />
      <div className="border-line border-t p-4">
        <Panel query={query} loading={<RetentionSkeleton />} errorTitle="Failed to load the retention">
          {(retention) => (
            <>
              {isAdmin ? (
                <RetentionForm key={String(retention.retention_days)} retention={retention} />
              ) : (
                <KeptDays retention={retention} />
              )}
              <FewerDays retention={retention} />
            </>
          )}
        </Panel>
      </div>
    </Card>
  );
}

function KeptDays({ retention }: { readonly retention: ReplyOf<typeof getRetention> }) {
  return (
    <p>
      Data is kept for {plural(keptDays(retention), "day")}
      {retention.retention_days === null && ", the maximum"}.
    </p>
  );
}

function FewerDays({ retention }: { readonly retention: ReplyOf<typeof getRetention> }) {
  const fewer = fewerDaysText(retention);
  return fewer === "" ? null : <p className="mt-3 text-muted">This server keeps {fewer}.</p>;
}

function RetentionSkeleton() {
  return (
    <div role="status" aria-label="Loading the retention" className="flex flex-col gap-3">
      <Skeleton className="h-6 w-72" />
      <Skeleton className="h-9 w-56" />
    </div>
  );
}

const failedText = "Failed to save the retention";

export function RetentionForm({ retention }: { readonly retention: ReplyOf<typeof getRetention> }) {
  const [draft, setDraft] = useState(() => draftOf(retention));
  const [isConfirming, setIsConfirming] = useState(false);
  const saving = useSaving(() => setIsConfirming(false));
  const days = daysOf(draft) ?? null;
  const form = useCheckedForm(
    () => problemsOf(draft, retention),
    () => (shortens(days, retention) ? setIsConfirming(true) : saving.mutate(days)),
  );
  const failure = saving.error ? serverText(saving.error, failedText) : undefined;
  const serverDays = plural(retention.server_retention_days, "day");

  return (
    <form noValidate onSubmit={form.onSubmit} className="flex max-w-xl flex-col gap-4">
      <FormProblems problems={form.problems} failure={isConfirming ? undefined : failure} />
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">How long data is kept</legend>
        <Choice
          label={`Maximum: ${serverDays}`}
          isChosen={!draft.isLimited}
          onChoose={() => setDraft({ ...draft, isLimited: false })}
        />
        <Choice
          label="Fewer days"
          isChosen={draft.isLimited}
          onChoose={() => setDraft({ ...draft, isLimited: true })}
        />
      </fieldset>
      {draft.isLimited && (
        <Field
          label="Days"
          name="days"
          inputMode="numeric"
          autoComplete="off"
          className="w-28"
          value={draft.days}
          onChange={(event) => setDraft({ ...draft, days: event.target.value })}
          {...form.hintOf("days", `At most ${serverDays}.`)}
        />
      )}
      <div>
        <Button type="submit" disabled={saving.isPending || days === retention.retention_days}>
          {saving.isPending ? "Saving..." : "Save retention"}
        </Button>
      </div>
      {isConfirming && days !== null && (
        <ConfirmDialog
          title={`Keep data for ${plural(days, "day")} only?`}
          description={`The current retention is ${plural(keptDays(retention), "day")}. Data older than ${plural(days, "day")} is removed within the hour and cannot be restored.`}
          action="Shorten retention"
          failure={failedText}
          send={() => saving.mutateAsync(days)}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </form>
  );
}

function useSaving(onSaved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (days: number | null) => call(updateRetention, { body: { retention_days: days } }),
    onSuccess(saved) {
      onSaved();
      client.setQueryData(retentionQuery.queryKey, saved);
      showToast(`Data is kept for ${plural(keptDays(saved), "day")}`);
    },
  });
}

interface ChoiceProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Choice({ label, isChosen, onChoose }: ChoiceProps) {
  return (
    <label className="flex items-center gap-2.5 max-md:min-h-10">
      <input
        type="radio"
        name="is_limited"
        checked={isChosen}
        onChange={onChoose}
        className="size-4 accent-accent"
      />
      {label}
    </label>
  );
}

export function DataSettings() {
  const isAdmin = useIsAdmin();
  return (
    <div className="flex flex-col gap-4">
      {isAdmin && <OrganizationLimits />}
      <Retention />
      <Services />
    </div>
  );
}
