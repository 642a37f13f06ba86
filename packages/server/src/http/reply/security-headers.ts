import type { FastifyInstance } from "fastify";
import type { Config } from "#config";

/** No inline script or style, nothing from other hosts, no frames: function names and labels are hostile input. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  // The app never turns text into HTML or a script: its one policy gives workers their address, which must be of this host.
  "require-trusted-types-for 'script'",
  "trusted-types flamekeep-workers",
];

/** Browser features that the app never uses. Copying text, which reading a profile needs, stays allowed. */
const deniedFeatures = [
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
  "screen-wake-lock",
  "usb",
  "xr-spatial-tracking",
];

/** The headers that OWASP's Secure Headers project recommends. */
const securityHeaders = {
  "content-security-policy": contentSecurityPolicy.join(";"),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "permissions-policy": deniedFeatures.map((feature) => `${feature}=()`).join(", "),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "DENY",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
};

/** Sends the security headers with every reply. */
export function sendSecurityHeaders(
  app: FastifyInstance,
  { publicUrl, hasHstsSubdomains }: Pick<Config, "publicUrl" | "hasHstsSubdomains">,
): void {
  const hsts = `max-age=31536000${hasHstsSubdomains ? "; includeSubDomains" : ""}`;
  const headers = publicUrl.startsWith("https:")
    ? { ...securityHeaders, "strict-transport-security": hsts }
    : securityHeaders;
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}
