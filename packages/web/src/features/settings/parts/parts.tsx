import type { LucideIcon } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";
import { Message } from "#ui/content/message.tsx";
import { PanelCard, type PanelCardProps } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { cx } from "#ui/cx.ts";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";

interface ListCardProps<T, Item>
  extends Omit<PanelCardProps<T>, "loading" | "errorTitle" | "empty" | "children"> {
  /** The entries, as in `Failed to load sessions`. */
  readonly nouns: string;
  readonly loading: ReactNode;
  /** Names the list, where the page has several. */
  readonly label?: string;
  readonly items: (reply: T) => readonly Item[];
  /** In place of a list without entries. */
  readonly nothing?: ReactNode;
  readonly children: (item: Item) => ReactNode;
}

/** A card that lists the entries of a reply. */
export function ListCard<T, Item extends { readonly id: string }>(props: ListCardProps<T, Item>) {
  const { nouns, label, items, nothing = null, children, ...card } = props;
  return (
    <PanelCard
      {...card}
      errorTitle={`Failed to load ${nouns}`}
      empty={(reply) => (items(reply).length === 0 ? nothing : null)}
    >
      {(reply) => (
        <ul aria-label={label} className="divide-y divide-line border-line border-t">
          {items(reply).map((item) => (
            <Fragment key={item.id}>{children(item)}</Fragment>
          ))}
        </ul>
      )}
    </PanelCard>
  );
}

interface LoadingRowsProps {
  readonly nouns: string;
  readonly count: number;
  readonly className: string;
  /** The space between them. */
  readonly gapClass?: string;
}

export function LoadingRows({ nouns, gapClass = "gap-8", ...blocks }: LoadingRowsProps) {
  const layoutClass = `flex flex-col ${gapClass} border-line border-t p-4`;
  return <SkeletonBlocks label={`Loading ${nouns}`} {...blocks} layoutClass={layoutClass} />;
}

interface NothingListedProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children: string;
}

/** In place of a list without entries. */
export function NothingListed({ icon, title, children }: NothingListedProps) {
  return (
    <div className="border-line border-t">
      <Message icon={icon} title={title}>
        <p>{children}</p>
      </Message>
    </div>
  );
}

interface PagesProps {
  /** The text before the buttons. */
  readonly children?: ReactNode;
  /** The buttons to the pages before and after, and what they do; undefined where there is no such page. */
  readonly before: readonly [label: string, open: (() => void) | undefined];
  readonly after: readonly [label: string, open: (() => void) | undefined];
}

/** Leads from one page of a list to the others. */
export function Pages({ before, after, children }: PagesProps) {
  return (
    <footer className="flex items-center justify-end gap-2 border-line border-t px-4 py-2.5 text-label text-muted">
      {children}
      {[before, after].map(([label, open]) => (
        <Button key={label} size="sm" disabled={open === undefined} onClick={open}>
          {label}
        </Button>
      ))}
    </footer>
  );
}

interface DeleteByNameDialogProps<Reply> extends Closable {
  /** The person types it to confirm. */
  readonly name: string;
  /** Names the kind of thing on the button, for example "service". */
  readonly what: string;
  readonly description: string;
  readonly remove: (confirmation: string) => Promise<Reply>;
  readonly onDeleted: (reply: Reply) => unknown;
}

/** Asks for the name of something that cannot be restored, and deletes it. */
export function DeleteByNameDialog<Reply>(props: DeleteByNameDialogProps<Reply>) {
  const { name, what, description, remove, onDeleted, onClose } = props;
  const form = useForm({
    initial: () => ({ confirmation: "" }),
    check: ({ confirmation }) =>
      confirmation === name ? [] : [{ field: "confirmation", text: `Type ${name} to delete it` }],
    send: ({ confirmation }) => remove(confirmation),
    onSent: onDeleted,
  });
  return (
    <FormDialog
      form={form}
      title={`Delete ${name}?`}
      description={description}
      action={`Delete ${what}`}
      pending="Deleting..."
      failure={`Failed to delete the ${what}`}
      variant="danger"
      onClose={onClose}
    >
      <Field
        label={`Type ${name} to confirm`}
        autoComplete="off"
        spellCheck={false}
        {...form.field("confirmation")}
      />
    </FormDialog>
  );
}

interface CheckboxProps {
  readonly name?: string;
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly className?: string;
}

export function Checkbox({ label, isChecked, onChange, className, ...input }: CheckboxProps) {
  return (
    <label className={cx("flex items-center gap-2", className)}>
      <input
        {...input}
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-accent"
      />
      {label}
    </label>
  );
}

/** Replaces buttons that only admins have. */
export function AdminNote() {
  // Members change other things, so the general note would mislead them.
  if (!useMayChange()) return <ReadOnlyNote />;
  return <p className="text-label text-muted">Only admins can change this.</p>;
}
