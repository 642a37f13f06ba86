import { isServiceName, limits } from "@flamekeep/contract";
import { useState } from "react";
import { Card } from "#ui/content/card.tsx";
import { CodeBlock } from "#ui/content/code-block.tsx";
import { Field } from "#ui/controls/field.tsx";
import { Tabs } from "#ui/controls/tabs.tsx";
import { serverAddress } from "#url/base-path.ts";
import { KeyStep } from "./key-step.tsx";
import { type Snippet, snippets } from "./snippets.ts";
import { Step } from "./step.tsx";

const keyPlaceholder = "YOUR_API_KEY";
const servicePlaceholder = "your-service";

/** Shown until the first profile arrives. The surrounding list refetches. */
export function FirstProfile() {
  const [key, setKey] = useState<string>();
  const [service, setService] = useState("checkout");
  const [way, setWay] = useState("curl");
  const isNamed = isServiceName(service);
  const all = snippets({
    origin: serverAddress(),
    key: key ?? keyPlaceholder,
    service: isNamed ? service.trim() : servicePlaceholder,
  });
  const chosen = all.find((snippet) => snippet.id === way);

  return (
    <Card className="mx-auto max-w-3xl">
      <header className="border-line border-b px-5 py-4 sm:px-6">
        <p className="text-label text-muted">No Services Found</p>
        <h2 className="mt-0.5 font-semibold text-page tracking-tight">Send your first profile</h2>
        <p className="mt-1 text-muted">It takes about a minute, and this page updates by itself.</p>
      </header>
      <ol className="flex flex-col gap-7 p-5 sm:p-6">
        <Step number={1} title="Make a key">
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
        <Step number={3} title="Send">
          <Tabs label="How to send" value={way} items={tabItems(all)} onChange={setWay}>
            {chosen && (
              <>
                <p className="mb-3 text-muted">{chosen.about}</p>
                <div className="flex flex-col gap-3">
                  {chosen.parts.map(({ place, code }) => (
                    <div key={place}>
                      <p className="mb-1 text-label text-muted">{place}</p>
                      <CodeBlock code={code} label={`Copy: ${place}`} />
                    </div>
                  ))}
                </div>
              </>
            )}
          </Tabs>
        </Step>
      </ol>
      <div role="status" className="flex items-baseline gap-3 border-line border-t px-5 py-4 sm:px-6">
        <span aria-hidden className="size-2 shrink-0 animate-pulse rounded-full bg-accent" />
        <p>
          <span className="mr-2 font-medium">Waiting for the first profile</span>
          <span className="text-muted">this page checks every second</span>
        </p>
      </div>
    </Card>
  );
}

function tabItems(all: readonly Snippet[]) {
  return all.map(({ id, label }) => ({ value: id, label }));
}
