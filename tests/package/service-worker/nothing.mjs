// The module that importer.mjs imports.
export {};
