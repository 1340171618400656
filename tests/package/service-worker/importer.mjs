// A service worker that only imports a module, to test whether that is supported.
import "./nothing.mjs";
