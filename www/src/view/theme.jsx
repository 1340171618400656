// Light, dark, or what the system says. The choice is kept in this browser.
import { useState } from "preact/hooks";
import { Icon } from "./icon.jsx";

const KEY = "respool-theme";
const THEMES = ["system", "light", "dark"];
const TITLES = { system: "Theme of the system", light: "Light theme", dark: "Dark theme" };
const ICONS = { system: "system", light: "sun", dark: "moon" };

function stored() {
  try {
    return localStorage.getItem(KEY) ?? "system";
  } catch {
    return "system"; // storage is not allowed here
  }
}

export function applyTheme(theme = stored()) {
  const isChosen = theme === "light" || theme === "dark";
  if (isChosen) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

export function ThemeButton() {
  const [theme, setTheme] = useState(stored());
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  const change = () => {
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Then it lasts as long as the page.
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
      title={`${TITLES[theme]}: change`}
      aria-label={`${TITLES[theme]}; change to ${TITLES[next].toLowerCase()}`}
    >
      <Icon name={ICONS[theme]} />
    </button>
  );
}
