import { chooseTheme, savedTheme, type ThemeChoice, watchTheme } from "#preferences/theme.ts";

const next: Readonly<Record<ThemeChoice, ThemeChoice>> = { system: "light", light: "dark", dark: "system" };
const names: Readonly<Record<ThemeChoice, string>> = { system: "System", light: "Light", dark: "Dark" };

/** Switches the theme of the app, which the documentation shares. */
export function themeButton(): void {
  const button = document.querySelector<HTMLButtonElement>("#theme");
  if (button === null) return;
  const label = button.querySelector("span");
  const show = () => {
    const choice = savedTheme();
    if (label !== null) label.textContent = names[choice];
    button.ariaLabel = `Theme: ${names[choice]}. Change to ${names[next[choice]]}`;
  };
  watchTheme();
  window.addEventListener("storage", show);
  button.addEventListener("click", () => {
    chooseTheme(next[savedTheme()]);
    show();
  });
  show();
  button.hidden = false;
}
