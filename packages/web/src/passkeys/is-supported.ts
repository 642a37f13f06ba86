/** Browsers have passkeys only on pages with TLS, or of this machine, whose host has a name. */
export function hasPasskeys(): boolean {
  const isAddress = /^[\d.]+$|:/.test(location.hostname);
  return window.isSecureContext && "PublicKeyCredential" in window && !isAddress;
}
