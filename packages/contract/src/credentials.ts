/** The bearer of the web app without a session. A server with its demo switched on accepts it for the demo and nothing else. */
export const demoPlaceholder = "test-api-key";

export const sessionEndedMessage = "Your session has ended. Sign in again.";
