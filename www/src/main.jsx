// Renders the page.
import { render } from "preact";
import { Session } from "./session/session.js";
import { App } from "./view/app.jsx";
import { applyTheme } from "./view/theme.jsx";

applyTheme();
const root = /** @type {HTMLElement} */ (document.querySelector("#app"));
root.replaceChildren();
render(<App session={new Session()} />, root);
