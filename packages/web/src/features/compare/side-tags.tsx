import { Plus, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "#ui/controls/button.tsx";
import { Input } from "#ui/controls/input.tsx";
import { tagOf } from "./model.ts";

type Tags = Readonly<Record<string, string>>;

interface SideTagsProps {
  readonly label: string;
  readonly noun: "Tag" | "Label";
  readonly example: string;
  readonly tags: Tags;
  readonly onChange: (tags: Tags | undefined) => void;
}

/** The tags that the profiles of a side must have, or the labels of its samples: two versions are two sets of tags. */
export function SideTags({ label, noun, example, tags, onChange }: SideTagsProps) {
  const [text, setText] = useState<string>();
  const entries = Object.entries(tags);

  function add(event: FormEvent) {
    event.preventDefault();
    const tag = tagOf(text ?? "");
    if (tag === undefined) return;
    setText(undefined);
    onChange({ ...tags, [tag[0]]: tag[1] });
  }

  function remove(name: string) {
    const rest = entries.filter(([each]) => each !== name);
    onChange(rest.length === 0 ? undefined : Object.fromEntries(rest));
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws its own frame
    <div role="group" aria-label={label} className="flex min-w-0 flex-wrap items-center gap-2">
      {entries.map(([name, value]) => (
        <Button key={name} size="sm" onClick={() => remove(name)} aria-label={`Remove ${name}:${value}`}>
          <span className="max-w-40 truncate">
            {name}:{value}
          </span>
          <X aria-hidden className="size-3.5" strokeWidth={1.75} />
        </Button>
      ))}
      {text === undefined ? (
        <Button size="sm" variant="ghost" onClick={() => setText("")}>
          <Plus aria-hidden className="size-3.5" strokeWidth={1.75} />
          {noun}
        </Button>
      ) : (
        <form onSubmit={add} className="flex items-center gap-2">
          <Input
            autoFocus
            aria-label={`${noun} as name:value`}
            placeholder={example}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && setText(undefined)}
            className="h-7 w-40 text-label"
          />
          <Button type="submit" size="sm" disabled={tagOf(text) === undefined}>
            Add
          </Button>
        </form>
      )}
    </div>
  );
}
