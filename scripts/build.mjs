// npm run build: builds pkg/, setting up first what that needs.
import "./built.mjs";
