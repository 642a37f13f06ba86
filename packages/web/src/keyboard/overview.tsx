import { Kbd } from "#ui/content/kbd.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { keyboardOverview, useIsOpen } from "./open-state.ts";
import { keysText, shortcutGroups, shortcutsOf } from "./shortcuts.ts";

/** All shortcuts of the app. */
export function KeyboardOverview() {
  return (
    <Dialog
      isOpen={useIsOpen(keyboardOverview)}
      onClose={() => keyboardOverview.set(false)}
      title="Keyboard and pointer"
      size="wide"
    >
      <div className="gap-x-10 sm:columns-2">
        {shortcutGroups.map((group) => (
          <section key={group} aria-label={group} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 font-medium text-label text-muted">{group}</h3>
            <dl className="divide-y divide-line">
              {shortcutsOf(group).map(({ keys, does }) => (
                <div key={does} className="flex items-center justify-between gap-4 py-1.5">
                  <dt className="order-2 flex shrink-0 gap-1">
                    {keys.map((each) => (
                      <Kbd key={each}>{keysText(each)}</Kbd>
                    ))}
                  </dt>
                  <dd className="min-w-0">{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
