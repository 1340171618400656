// The theme: light, dark or the system's. The choice is kept in this browser.
import { useState } from "preact/hooks";
import { Icon } from "./icon.jsx";

/** @import { IconName } from "./icon.jsx" */

/** @typedef {"system" | "light" | "dark"} Theme */

const KEY = "respool-theme";
/** @type {Theme[]} */
const THEMES = ["system", "light", "dark"];
/** @type {Record<Theme, string>} */
const TITLES = { system: "System theme", light: "Light theme", dark: "Dark theme" };
/** @type {Record<Theme, IconName>} */
const ICONS = { system: "system", light: "sun", dark: "moon" };

/** @returns {Theme} */
function storedTheme() {
  try {
    const stored = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === stored) ?? "system";
  } catch {
    return "system"; // storage is blocked
  }
}

export function applyTheme(theme = storedTheme()) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function ThemeButton() {
  const [theme, setTheme] = useState(storedTheme());
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  const change = () => {
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Storage is blocked: the choice lasts until the page is left.
    }
    applyTheme(next);
    setTheme(next);
    dispatchEvent(new Event("themechange"));
  };
  return (
    <button
      type="button"
      class="quiet"
      onClick={change}
      title={`${TITLES[theme]} (click to change)`}
      aria-label={`${TITLES[theme]}; change to ${TITLES[next].toLowerCase()}`}
    >
      <Icon name={ICONS[theme]} />
    </button>
  );
}
