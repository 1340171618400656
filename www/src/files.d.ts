// esbuild imports these files as text: see scripts/www/bundle.mjs.
declare module "*.json" {
  const text: string;
  export default text;
}
declare module "*.jsonl" {
  const text: string;
  export default text;
}
