import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";
import type { Config } from "#config";

/** No inline script or style, nothing from elsewhere, no frames: function names and labels are hostile input. */
export async function protectHeaders(app: FastifyInstance, config: Config): Promise<void> {
  const isHttps = config.publicUrl.startsWith("https:");
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", "data:", "blob:"],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: "no-referrer" },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
    frameguard: { action: "deny" },
  });
}
