import { type operatorOverview, type ReplyOf, setStoragePrice, storagePriceMax } from "@flamekeep/contract";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { exactCount } from "#format/number.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, type Problem, useForm } from "#ui/controls/form-problems.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { overviewKey } from "./overview-query.ts";

type Price = ReplyOf<typeof operatorOverview>["storage_price"];

/** The price of a GB and month; an empty field removes it. */
export function StoragePrice({ price }: { readonly price: Price }) {
  if (price?.source === "file") {
    return (
      <p className="border-line border-t px-4 py-4">
        {price.per_gb_month} {price.currency} for each GB and month, from the file (LIMITS_FILE).
      </p>
    );
  }
  return <PriceForm key={JSON.stringify(price)} price={price} />;
}

interface PriceDraft {
  readonly price: string;
  readonly currency: string;
}

function PriceForm({ price }: { readonly price: Price }) {
  const client = useQueryClient();
  const form = useForm({
    initial: () => ({ price: price ? String(price.per_gb_month) : "", currency: price?.currency ?? "EUR" }),
    check: problemsOf,
    send: (draft) => call(setStoragePrice, { body: { storage_price: priceOf(draft) } }),
    onSent: (saved) => {
      showToast(saved.storage_price ? "The price of storage was saved" : "The price of storage was removed");
      return client.invalidateQueries({ queryKey: overviewKey });
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4 border-line border-t px-4 py-4">
      <FormProblems problems={form.problems} error={form.error} failure="Failed to save the price" />
      <div className="flex flex-wrap items-end gap-2">
        <div className="w-44">
          <Field
            label="Price of a GB and month"
            inputMode="decimal"
            autoComplete="off"
            {...form.field("price")}
          />
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

function problemsOf({ price, currency }: PriceDraft): Problem[] {
  const text = price.trim();
  if (text === "") return [];
  const isPrice = /^\d{1,7}(\.\d{1,12})?$/.test(text) && Number(text) <= storagePriceMax;
  return [
    ...(isPrice
      ? []
      : [{ field: "price", text: `The price must be from 0 to ${exactCount(storagePriceMax)}` }]),
    ...(/^[a-z]{3}$/i.test(currency.trim())
      ? []
      : [{ field: "currency", text: "The currency must be three letters, such as EUR" }]),
  ];
}

function priceOf({ price, currency }: PriceDraft) {
  if (price.trim() === "") return null;
  return { per_gb_month: Number(price), currency: currency.trim().toUpperCase() };
}
