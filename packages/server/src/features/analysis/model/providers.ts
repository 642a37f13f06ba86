import type { LanguageModel } from "ai";
import type { Config } from "#config";
import type { Context } from "#context";
import { boundedFetch } from "./bounded-fetch.ts";
import type { ModelSource } from "./prompt.ts";

/** Addresses of the providers, with the version. */
export const baseUrls = {
  anthropic: "https://api.anthropic.com/v1",
  openai: "https://api.openai.com/v1",
} as const;

/** Servers of local models need no key; without one the SDK would look for its own environment variables. */
const noKey = "none";

/** The configured model. Its packages are loaded here, because most servers have none. */
export async function openModel({ llm }: Pick<Config, "llm">): Promise<LanguageModel> {
  const { provider, apiKey = noKey, model = "" } = llm;
  if (provider === "builtin") throw new Error("No language model is configured");
  const settings = { apiKey, baseURL: llm.baseUrl ?? baseUrls[provider], fetch: boundedFetch };
  if (provider === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic(settings)(model);
  }
  const { createOpenAI } = await import("@ai-sdk/openai");
  // Compatible servers have this endpoint; few have the newer one.
  return createOpenAI(settings).chat(model);
}

/** Opens the configured model when it is used for the first time. */
export function modelSource({ config }: Context): ModelSource {
  let opened: Promise<LanguageModel> | undefined;
  return {
    open: () => {
      opened ??= openModel(config).catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
  };
}
