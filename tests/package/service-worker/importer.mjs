// A service worker that imports something, and does nothing else.
import "./nothing.mjs";
