import {
  createTarget,
  limits,
  type ReplyOf,
  type Target,
  targetProfiles,
  testTarget,
  updateTarget,
} from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { plural } from "#format/number.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { type Form, useForm } from "#ui/controls/form-problems.tsx";
import { LabelledSelect } from "#ui/controls/select.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { FormDialog, useFinish } from "#ui/overlays/form-dialog.tsx";
import { bodyOf, type Draft, draftOf, newDraft, problemsOf, withProfile } from "./draft.ts";
import { targetsQuery } from "./queries.ts";

interface TargetDialogProps extends Closable {
  /** Undefined to create one. */
  readonly target: Target | undefined;
}

/** Creates a target, or changes one. */
export function TargetDialog({ target, onClose }: TargetDialogProps) {
  const finish = useFinish(onClose);
  const form = useForm({
    initial: () => (target === undefined ? newDraft : draftOf(target)),
    check: problemsOf,
    send(draft) {
      const body = bodyOf(draft);
      return target === undefined
        ? call(createTarget, { body })
        : call(updateTarget, { params: { id: target.id }, body });
    },
    onSent: ({ target: saved }) =>
      finish(`${saved.name} is ${target === undefined ? "created" : "changed"}`, targetsQuery),
  });
  return (
    <FormDialog
      form={form}
      title={target === undefined ? "Add a target" : "Edit target"}
      description="The server pulls /debug/pprof of its processes."
      size="wide"
      action={target === undefined ? "Add target" : "Save target"}
      pending="Saving..."
      failure="Failed to save the target"
      onClose={onClose}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <SourceFields form={form} />
        <Field
          label="Interval (seconds)"
          inputMode="numeric"
          autoComplete="off"
          {...form.field("interval")}
        />
        <Field
          label="Name"
          placeholder="Optional"
          autoComplete="off"
          maxLength={limits.targetNameLengthMax}
          {...form.field("name")}
        />
        <Field
          label="Tags"
          placeholder="env:production, region:eu"
          autoComplete="off"
          {...form.field("tags", "Optional.")}
        />
        <Field
          label="Path prefix"
          placeholder="/internal"
          autoComplete="off"
          {...form.field("pathPrefix", "Optional. Before /debug/pprof.")}
        />
      </div>
      <ProfileChoice form={form} />
      <SecurityFields form={form} />
      <TestResult draft={form.values} id={target?.id ?? null} />
    </FormDialog>
  );
}

interface FieldsProps {
  readonly form: Form<Draft>;
}

const kinds = [
  { value: "url", label: "A URL" },
  { value: "dns", label: "A DNS name" },
  { value: "http", label: "A JSON list" },
  { value: "kubernetes", label: "Pods in Kubernetes" },
] as const;
const schemes = [
  { value: "http", label: "http" },
  { value: "https", label: "https" },
] as const;
const records = [
  { value: "A", label: "A" },
  { value: "AAAA", label: "AAAA" },
  { value: "SRV", label: "SRV" },
] as const;
const annotations = [
  { value: "profiles.grafana.com", label: "profiles.grafana.com" },
  { value: "prometheus.io", label: "prometheus.io" },
] as const;

function SourceFields({ form }: FieldsProps) {
  const { kind, record } = form.values;
  const isNamed = kind === "url" || kind === "dns";
  return (
    <>
      <LabelledSelect label="Processes" options={kinds} {...form.choice("kind")} />
      <Field
        label="Service"
        placeholder="checkout"
        autoComplete="off"
        maxLength={limits.serviceNameLengthMax}
        {...form.field("service", isNamed ? undefined : "Optional. Empty: from labels.")}
      />
      {(kind === "url" || kind === "http") && (
        <div className="sm:col-span-2">
          <Field
            label="URL"
            placeholder={
              kind === "url" ? "http://checkout.internal:6060" : "https://inventory.example.com/targets.json"
            }
            autoComplete="off"
            {...form.field("url")}
          />
        </div>
      )}
      {kind === "dns" && (
        <>
          <Field label="DNS name" autoComplete="off" {...form.field("dnsName")} />
          <LabelledSelect label="Record" options={records} {...form.choice("record")} />
          {record !== "SRV" && (
            <Field label="Port" inputMode="numeric" autoComplete="off" {...form.field("port")} />
          )}
        </>
      )}
      {(kind === "dns" || kind === "http") && (
        <LabelledSelect label="Scheme" options={schemes} {...form.choice("scheme")} />
      )}
      {kind === "kubernetes" && (
        <>
          <Field
            label="Namespace"
            placeholder="All"
            autoComplete="off"
            {...form.field("namespace", "Optional.")}
          />
          <Field
            label="Label selector"
            placeholder="team=payments"
            autoComplete="off"
            {...form.field("selector", "Optional.")}
          />
          <LabelledSelect label="Annotations" options={annotations} {...form.choice("annotations")} />
        </>
      )}
    </>
  );
}

function ProfileChoice({ form }: FieldsProps) {
  const { profiles } = form.values;
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Profiles</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        {targetProfiles.map((name) => (
          <label key={name} className="flex items-center gap-2">
            <input
              type="checkbox"
              name="profile"
              value={name}
              checked={profiles.includes(name)}
              onChange={({ target: { checked } }) =>
                form.set({ profiles: withProfile(profiles, name, checked) })
              }
              className="size-4 accent-accent"
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function SecurityFields({ form }: FieldsProps) {
  const { headers, ca, skipsVerification } = form.values;
  const [isOpenAtFirst] = useState(headers !== "" || ca !== "" || skipsVerification);
  return (
    <details open={isOpenAtFirst}>
      <summary className="w-fit cursor-pointer rounded-badge font-medium">Security</summary>
      <div className="mt-3 flex flex-col gap-5">
        <Field
          label="Headers"
          placeholder="Authorization: Bearer ..."
          autoComplete="off"
          spellCheck={false}
          render={<textarea rows={2} />}
          className="h-auto! py-2 font-mono"
          {...form.field(
            "headers",
            "Optional, one a line. Values are not shown again: a name alone keeps its value while processes and CA stay.",
          )}
        />
        <Field
          label="CA certificates"
          placeholder="-----BEGIN CERTIFICATE-----"
          autoComplete="off"
          spellCheck={false}
          render={<textarea rows={2} />}
          className="h-auto! py-2 font-mono"
          {...form.field("ca", "Optional, for https with an own authority.")}
        />
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={skipsVerification}
            onChange={({ target: { checked } }) => form.set({ skipsVerification: checked })}
            className="size-4 accent-accent"
          />
          Accept any certificate
        </label>
      </div>
    </details>
  );
}

interface TestResultProps {
  readonly draft: Draft;
  /** The target whose stored headers are used. */
  readonly id: string | null;
}

/** Pulls each profile of the draft once, and shows how that went. */
function TestResult({ draft, id }: TestResultProps) {
  const test = useMutation({ mutationFn: () => call(testTarget, { body: { ...bodyOf(draft), id } }) });
  return (
    <div className="flex flex-col items-start gap-2">
      <Button
        size="sm"
        disabled={test.isPending || problemsOf(draft).length > 0}
        onClick={() => test.mutate()}
      >
        {test.isPending ? "Testing..." : "Test"}
      </Button>
      <div role="status" className="w-full text-label">
        {(test.error !== null || test.data !== undefined) && (
          <div key={test.submittedAt} ref={scrollIntoView}>
            {test.error && <p className="text-critical-text">{serverText(test.error, "The test failed")}</p>}
            {test.data && <Tested reply={test.data} />}
          </div>
        )}
      </div>
    </div>
  );
}

/** The dialog is taller than many windows. */
function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

function Tested({ reply }: { readonly reply: ReplyOf<typeof testTarget> }) {
  const problem = reply.error !== null && <p className="wrap-anywhere text-critical-text">{reply.error}</p>;
  if (reply.instances.length === 0) return problem;
  const answers = reply.instances.some(({ profiles }) => profiles.some(({ error }) => error === null));
  return (
    <>
      {problem}
      {answers && <p>{plural(reply.instance_count, "process", "processes")} found.</p>}
      <ul className="mt-1 flex flex-col gap-1">
        {reply.instances.flatMap(({ instance, profiles }) =>
          [...new Set(profiles.map(({ error }) => error))].map((error) => (
            <li key={`${instance} ${error}`} className="wrap-anywhere">
              <span className="font-mono">{instance}</span>{" "}
              {namesOf(profiles.filter((each) => each.error === error))}:{" "}
              {error === null ? "answers" : <span className="text-critical-text">{error}</span>}
            </li>
          )),
        )}
      </ul>
    </>
  );
}

function namesOf(profiles: readonly { readonly profile: string }[]): string {
  return profiles.map(({ profile }) => profile).join(", ");
}
