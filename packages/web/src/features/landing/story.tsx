import { cx } from "#ui/cx.ts";
import { chapters } from "./content.ts";

/** The way from a change to its cause, with pictures of the demo in the theme of the page. */
export function Story() {
  return (
    <section className="mx-auto max-w-[80rem] px-6 pt-24">
      <h2 className="max-w-[18em] text-balance font-semibold text-[2rem] leading-10 tracking-[-0.025em]">
        From “it got slower” to the function, in three looks
      </h2>
      <ol className="mt-14 flex flex-col gap-20">
        {chapters.map(({ title, text, alt, light, dark }, index) => (
          <li
            key={title}
            className="grid items-start gap-x-12 gap-y-5 lg:grid-cols-[minmax(0,17rem)_minmax(0,1fr)]"
          >
            <div className="lg:sticky lg:top-10">
              <span className="font-mono text-accent-text text-code">{index + 1}</span>
              <h3 className="mt-2 font-semibold text-page tracking-tight">{title}</h3>
              <p className="mt-2 text-muted leading-6">{text}</p>
            </div>
            <div className="overflow-hidden rounded-card border border-line bg-surface">
              <Picture src={light} alt={alt} className="dark:hidden" />
              <Picture src={dark} alt={alt} className="hidden dark:block" />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface PictureProps {
  readonly src: string;
  readonly alt: string;
  readonly className: string;
}

/** A picture that is not shown in this theme is not loaded either. */
function Picture({ src, alt, className }: PictureProps) {
  return (
    <img
      src={src}
      alt={alt}
      width={1440}
      height={900}
      loading="lazy"
      className={cx("h-auto w-full", className)}
    />
  );
}
