import { lazy } from "react";
import { importPage } from "#api/import-page.ts";

// With the code that draws QR codes.
export const SecondFactorCard = lazy(async () => ({
  default: (await importPage(() => import("./second-factor/second-factor-card.tsx"))).SecondFactorCard,
}));

export const IdentitiesCard = lazy(async () => ({
  default: (await importPage(() => import("./single-sign-on/identities-card.tsx"))).IdentitiesCard,
}));
