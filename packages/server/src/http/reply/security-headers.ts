import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import helmet from "helmet";
import type { Config } from "#config";

/** What browsers let pages do that this app never does. Reading a profile copies text, which stays allowed. */
const permissionsPolicy = [
  "accelerometer",
  "autoplay",
  "camera",
  "display-capture",
  "encrypted-media",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "publickey-credentials-get",
  "screen-wake-lock",
  "usb",
  "xr-spatial-tracking",
]
  .map((name) => `${name}=()`)
  .join(", ");

/** No inline script or style, nothing from elsewhere, no frames: function names and labels are hostile input. */
export function protectHeaders(app: FastifyInstance, config: Config): void {
  const isHttps = config.publicUrl.startsWith("https:");
  const headers = headersOf({
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
        // No text becomes HTML or a script: the app makes no policy that would turn it into either.
        "require-trusted-types-for": ["'script'"],
        "trusted-types": ["'none'"],
      },
    },
    referrerPolicy: { policy: "no-referrer" },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
    frameguard: { action: "deny" },
  });
  const all = { ...headers, "permissions-policy": permissionsPolicy };
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(all);
    done();
  });
}

/** What helmet sets is the same for every answer, so that it is asked once: it takes longer than the rest of a small answer. */
function headersOf(options: Parameters<typeof helmet>[0]): Record<string, string> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet(options)(request, response, (error) => {
    if (error !== undefined) throw error;
  });
  return response.getHeaders() as Record<string, string>;
}
