import { createApiKey, isServiceName, type KeyFormat, limits } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { OpenFileButton } from "#open-files/open-file-button.tsx";
import { Card } from "#ui/content/card.tsx";
import { CodeBlock } from "#ui/content/code-block.tsx";
import { Button } from "#ui/controls/button.tsx";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { Tabs } from "#ui/controls/tabs.tsx";
import { cx } from "#ui/cx.ts";
import { fromBase, serverAddress } from "#url/base-path.ts";
import { type Language, type WayToSend, waysToSend } from "./ways-to-send.ts";

const keyPlaceholder = "YOUR_API_KEY";
const servicePlaceholder = "your-service";

/** Shown until the first profile arrives. The surrounding list refetches. */
export function FirstProfile() {
  const [key, setKey] = useState<string>();
  const [datadogKey, setDatadogKey] = useState<string>();
  const [service, setService] = useState("checkout");
  const [language, setLanguage] = useState("Go");
  const isNamed = isServiceName(service);
  const origin = serverAddress();
  const languages = waysToSend({
    origin,
    key: key ?? keyPlaceholder,
    datadogKey: datadogKey ?? keyPlaceholder,
    service: isNamed ? service.trim() : servicePlaceholder,
  });
  const chosen = languages.find(({ label }) => label === language);

  return (
    <Card className="mx-auto max-w-4xl">
      <header className="border-line border-b px-5 py-4 sm:px-6">
        <p className="text-label text-muted">No Services Found</p>
        <h2 className="mt-0.5 font-semibold text-page tracking-tight">Send your first profile</h2>
        <p className="mt-1 text-muted">It takes about a minute, and this page updates by itself.</p>
        <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
          <OpenFileButton />
          <p className="text-muted">Or drop profile files anywhere on this page.</p>
        </div>
      </header>
      <ol className="flex flex-col gap-7 p-5 sm:p-6">
        <Step number={1} title="Create a key">
          <KeyStep createdKey={key} onCreated={setKey} />
        </Step>
        <Step number={2} title="Name the service">
          <div className="max-w-72">
            <Field
              label="Service name"
              name="service"
              value={service}
              maxLength={limits.serviceNameLengthMax}
              hint="Letters, digits and . _ - / : without spaces."
              isInvalid={!isNamed}
              onChange={(event) => setService(event.target.value)}
            />
          </div>
        </Step>
        <Step number={3} title="Choose the language">
          <LanguageChoice languages={languages} value={language} onChange={setLanguage} />
        </Step>
        <Step number={4} title="Send">
          <AddressNote address={origin} />
          {chosen && (
            <Ways
              key={language}
              language={chosen}
              datadogKeyStep={<KeyStep format="datadog" createdKey={datadogKey} onCreated={setDatadogKey} />}
            />
          )}
        </Step>
      </ol>
      <Waiting />
    </Card>
  );
}

function Waiting() {
  return (
    <div role="status" className="flex items-baseline gap-3 border-line border-t px-5 py-4 sm:px-6">
      <span aria-hidden className="size-2 shrink-0 animate-pulse rounded-full bg-accent" />
      <p>
        <span className="mr-2 font-medium">Waiting for the first profile</span>
        <span className="text-muted">this page checks every second</span>
      </p>
    </div>
  );
}

function AddressNote({ address }: { readonly address: string }) {
  if (!isLoopback(address)) return null;
  return (
    <p className="mb-3 text-muted">
      The code sends to <code className="font-mono text-code">{address}</code>, which only programs on this
      machine reach. In containers and on other machines, replace it with this server's address.
    </p>
  );
}

function isLoopback(address: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(address).hostname);
}

interface LanguageChoiceProps {
  readonly languages: readonly Language[];
  readonly value: string;
  readonly onChange: (language: string) => void;
}

function LanguageChoice({ languages, value, onChange }: LanguageChoiceProps) {
  return (
    <fieldset className="grid grid-cols-2 gap-2 sm:grid-cols-4">
      <legend className="sr-only">Language</legend>
      {languages.map(({ label }) => (
        <label
          key={label}
          className={cx(
            "flex h-9 cursor-pointer items-center rounded-control border px-3 transition-colors duration-150",
            "has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent has-[:focus-visible]:outline-offset-2",
            label === value
              ? "border-accent bg-surface-2 font-medium"
              : "border-line text-muted hover:bg-surface-2 hover:text-text",
          )}
        >
          <input
            type="radio"
            name="language"
            checked={label === value}
            onChange={() => onChange(label)}
            className="sr-only"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

interface WaysProps {
  readonly language: Language;
  readonly datadogKeyStep: ReactNode;
}

/** The ways of a language, in tabs if there are several. */
function Ways({ language: { label, ways }, datadogKeyStep }: WaysProps) {
  const [way, setWay] = useState(ways[0]?.label ?? "");
  const chosen = ways.find((each) => each.label === way);
  if (chosen === undefined) return null;
  if (ways.length === 1) return <Way way={chosen} datadogKeyStep={datadogKeyStep} />;
  const items = ways.map((each) => ({ value: each.label, label: each.label }));
  return (
    <Tabs label={`How to send from ${label}`} value={way} items={items} onChange={setWay}>
      <Way way={chosen} datadogKeyStep={datadogKeyStep} />
    </Tabs>
  );
}

interface WayProps {
  readonly way: WayToSend;
  readonly datadogKeyStep: ReactNode;
}

function Way({ way: { about, parts, isRun, needsDatadogKey, guide }, datadogKeyStep }: WayProps) {
  return (
    <>
      <p className="mb-3 text-muted">{about}</p>
      {needsDatadogKey && (
        <div className="mb-4">
          <p className="mb-1 text-label text-muted">Only keys of this form work</p>
          {datadogKeyStep}
        </div>
      )}
      <div className="flex flex-col gap-3">
        {parts.map(({ place, code }) => (
          <div key={place}>
            <p className="mb-1 text-label text-muted">{place}</p>
            <CodeBlock code={code} label={`Copy: ${place}`} />
          </div>
        ))}
      </div>
      <p className="mt-3 text-label text-muted">
        {!isRun && "Not covered by our tests: try it with one service first. "}
        <a href={fromBase(guide)} target="_blank" rel="noreferrer" className="text-text underline">
          All details in the guide
        </a>
      </p>
    </>
  );
}

const nameOf: Readonly<Record<KeyFormat, string>> = {
  flamekeep: "First key",
  datadog: "First key for Datadog",
};
const createText: Readonly<Record<KeyFormat, string>> = {
  flamekeep: "Create API Key",
  datadog: "Create Key for Datadog",
};

interface KeyStepProps {
  readonly format?: KeyFormat;
  readonly createdKey: string | undefined;
  readonly onCreated: (key: string) => void;
}

function KeyStep({ format = "flamekeep", createdKey, onCreated }: KeyStepProps) {
  const client = useQueryClient();
  const creation = useMutation({
    mutationFn: () => call(createApiKey, { body: { name: nameOf[format], format } }),
    onSuccess: async (reply) => {
      onCreated(reply.api_key.key);
      await client.invalidateQueries({ queryKey: ["api-keys"] });
    },
  });

  if (createdKey !== undefined) {
    return (
      <div>
        <div className="flex items-center gap-1 rounded-control border border-line bg-bg py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 truncate font-mono text-code">{createdKey}</code>
          <CopyButton text={createdKey} label="Copy the key" />
        </div>
        <p className="mt-2 text-label text-muted">
          Shown only once; it is filled in below. Create more keys in Settings.
        </p>
      </div>
    );
  }
  return (
    <div>
      <Button variant="primary" disabled={creation.isPending} onClick={() => creation.mutate()}>
        <KeyRound aria-hidden className="size-4" strokeWidth={1.75} />
        {creation.isPending ? "Creating..." : createText[format]}
      </Button>
      {creation.isError && (
        <p role="alert" className="mt-2 text-critical-text">
          {serverText(creation.error, "Failed to create API key")}
        </p>
      )}
    </div>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly children: ReactNode;
}

function Step({ number, title, children }: StepProps) {
  return (
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3">
      <span className="grid size-6 place-items-center rounded-full bg-surface-2 font-semibold text-label">
        {number}
      </span>
      <h3 className="mb-2.5 font-semibold leading-6">{title}</h3>
      <div className="col-span-2 min-w-0 sm:col-span-1 sm:col-start-2">{children}</div>
    </li>
  );
}
