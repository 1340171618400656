// What importer.mjs imports.
export {};
