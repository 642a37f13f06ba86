import { cx } from "#ui/cx.ts";

/** The logo: a flame graph in the shape of a keep. */
export function BrandMark({ className }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={cx("size-7 shrink-0", className)}>
      <rect x="3" y="24" width="26" height="5" rx="1.5" fill="#d9480f" />
      <rect x="3" y="17" width="17" height="5" rx="1.5" fill="#ee6a1b" />
      <rect x="22" y="17" width="7" height="5" rx="1.5" fill="#ee6a1b" fillOpacity=".55" />
      <rect x="7" y="10" width="13" height="5" rx="1.5" fill="#f88c2b" />
      <rect x="12" y="3" width="6" height="5" rx="1.5" fill="#fdb044" />
    </svg>
  );
}
