/** Takes the place of links to the registration where only invited people can register. */
export const registrationByInvitation =
  "Registration on this server is by invitation. Ask an admin of your organization for one.";
