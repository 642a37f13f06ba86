import { getResourcePrice, type ResourcePrice as Price, updateResourcePrice } from "@flamekeep/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
import { costText } from "#format/cost-text.ts";
import { AdminNote } from "#settings/parts/parts.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, type Problem, useForm } from "#ui/controls/form-problems.tsx";
import { showToast } from "#ui/overlays/toast.ts";

const priceQuery = callQuery(["resource-price"], getResourcePrice);

/** The price of a core and of memory, with which findings show money. */
export function ResourcePrice({ isAdmin }: { readonly isAdmin: boolean }) {
  const query = useQuery(priceQuery);
  return (
    <PanelCard
      title="Price of cores and memory"
      detail="With a price, findings show what they cost and save a month. Empty fields remove it."
      actions={!isAdmin && <AdminNote />}
      query={query}
      loading={<Skeleton className="mx-4 mb-4 h-24 w-72" />}
      errorTitle="Failed to load the price"
    >
      {({ price }) =>
        isAdmin ? (
          <PriceForm key={JSON.stringify(price)} price={price} />
        ) : (
          <p className="border-line border-t px-4 py-4">{priceText(price)}</p>
        )
      }
    </PanelCard>
  );
}

function priceText(price: Price | null): string {
  if (price === null) return "No price is set.";
  const { per_core_month: core, per_gb_month: gb, currency } = price;
  return `${costText(core, currency)} for a core and ${costText(gb, currency)} for a GB of memory a month.`;
}

interface PriceDraft {
  readonly core: string;
  readonly gb: string;
  readonly currency: string;
}

function PriceForm({ price }: { readonly price: Price | null }) {
  const client = useQueryClient();
  const form = useForm({
    initial: (): PriceDraft => ({
      core: price ? String(price.per_core_month) : "",
      gb: price ? String(price.per_gb_month) : "",
      currency: price?.currency ?? "USD",
    }),
    check: problemsOf,
    send: (draft) => call(updateResourcePrice, { body: { price: priceOf(draft) } }),
    onSent: async (saved) => {
      showToast(saved.price ? "The price was saved" : "The price was removed");
      client.setQueryData(priceQuery.queryKey, saved);
      await client.invalidateQueries({ queryKey: ["findings"] });
    },
  });
  const amount = { inputMode: "decimal", autoComplete: "off" } as const;
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4 border-line border-t px-4 py-4">
      <FormProblems problems={form.problems} error={form.error} failure="Failed to save the price" />
      <div className="flex flex-wrap items-end gap-2">
        <div className="w-44">
          <Field label="Core, a month" {...amount} {...form.field("core")} />
        </div>
        <div className="w-44">
          <Field label="GB of memory, a month" {...amount} {...form.field("gb")} />
        </div>
        <div className="w-24">
          <Field
            label="Currency"
            autoComplete="off"
            spellCheck={false}
            maxLength={3}
            {...form.field("currency")}
          />
        </div>
        <Button type="submit" disabled={form.isPending}>
          {form.isPending ? "Saving..." : "Save price"}
        </Button>
      </div>
    </form>
  );
}

function isEmpty({ core, gb }: PriceDraft): boolean {
  return core.trim() === "" && gb.trim() === "";
}

function problemsOf(draft: PriceDraft): Problem[] {
  if (isEmpty(draft)) return [];
  return [
    ...amountProblems(draft, "core", "a core"),
    ...amountProblems(draft, "gb", "memory"),
    ...(/^[a-z]{3}$/i.test(draft.currency.trim())
      ? []
      : [{ field: "currency", text: "The currency must be three letters, such as EUR" }]),
  ];
}

function amountProblems(draft: PriceDraft, field: "core" | "gb", of: string): Problem[] {
  if (/^\d{1,6}([.,]\d{1,12})?$/.test(draft[field].trim())) return [];
  const text =
    draft[field].trim() === ""
      ? `Give a price of ${of} too, or leave both empty`
      : `The price of ${of} must be a number, such as 3.50`;
  return [{ field, text }];
}

function amountOf(text: string): number {
  return Number(text.trim().replace(",", "."));
}

function priceOf(draft: PriceDraft): Price | null {
  if (isEmpty(draft)) return null;
  return {
    per_core_month: amountOf(draft.core),
    per_gb_month: amountOf(draft.gb),
    currency: draft.currency.trim().toUpperCase(),
  };
}
