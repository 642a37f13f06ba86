import { call } from "#base/call.ts";
import { limits } from "#base/limits.ts";
import { isReadableLine } from "#base/readable.ts";

export const register = call("POST", "/auth/register", "none");
export const login = call("POST", "/auth/login", "none");
export const refreshToken = call("POST", "/auth/refresh-token", "none");
export const logout = call("POST", "/auth/logout", "none");
export const userProfile = call("GET", "/api/v1/protected/user/profile");
export const forgotPassword = call("POST", "/auth/forgot-password", "none");
export const resetPassword = call("POST", "/auth/reset-password", "none");
export const changePassword = call("POST", "/api/v1/protected/user/password");
export const verifyEmail = call("POST", "/auth/verify-email", "none");
export const sendVerification = call("POST", "/api/v1/protected/user/verification");
export const finishLogin = call("POST", "/auth/login/second-factor", "none");
export const getSecondFactors = call("GET", "/api/v1/protected/user/second-factor");
export const startTotp = call("POST", "/api/v1/protected/user/second-factor/totp");
export const confirmTotp = call("POST", "/api/v1/protected/user/second-factor/totp/confirm");
export const removeTotp = call("DELETE", "/api/v1/protected/user/second-factor/totp");
export const replaceRecoveryCodes = call("POST", "/api/v1/protected/user/second-factor/recovery-codes");
export const startPasskey = call("POST", "/api/v1/protected/user/second-factor/passkeys/options");
export const addPasskey = call("POST", "/api/v1/protected/user/second-factor/passkeys");
export const renamePasskey = call("PATCH", "/api/v1/protected/user/second-factor/passkeys/{id}");
export const removePasskey = call("DELETE", "/api/v1/protected/user/second-factor/passkeys/{id}");
export const startPasskeyLogin = call("POST", "/auth/login/passkey/options", "none");
export const loginWithPasskey = call("POST", "/auth/login/passkey", "none");
export const startSingleSignOn = call("POST", "/auth/single-sign-on", "none");
export const finishSingleSignOn = call("POST", "/auth/single-sign-on/finish", "none");
export const listIdentities = call("GET", "/api/v1/protected/user/identities");
export const startIdentityLink = call("POST", "/auth/single-sign-on/link");
export const finishIdentityLink = call("POST", "/auth/single-sign-on/link/finish");
export const unlinkIdentity = call("DELETE", "/api/v1/protected/user/identities/{id}");
export const listSessions = call("GET", "/api/v1/protected/user/sessions");
export const endSession = call("DELETE", "/api/v1/protected/user/sessions/{id}");
export const endSessions = call("DELETE", "/api/v1/protected/user/sessions");

/** The bearer of the web app without a session. A server with its demo switched on accepts it for the demo and nothing else. */
export const demoPlaceholder = "test-api-key";

export const sessionEndedMessage = "Your session has ended. Sign in again.";

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Characters with a meaning in the headers of mail (RFC 5322, 3.2.3): mail to `<ada@example.com>` reaches ada@example.com. */
const mailSyntax = /[()<>[\]:;\\,"]/;

/** Non-space text, @, text, dot, text, without mail syntax, and not longer than an address can be. */
export function isEmail(text: string): boolean {
  return (
    !/\p{Cf}/u.test(text) &&
    text.length <= limits.emailLengthMax &&
    emailPattern.test(text) &&
    !mailSyntax.test(text) &&
    isReadableLine(text)
  );
}
