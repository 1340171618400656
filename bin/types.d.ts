/** The part of cli-progress that progress.js uses: the package has no declarations. */
declare module "cli-progress" {
  export class SingleBar {
    constructor(options: object, preset: object);
    start(total: number, value: number, payload: Record<string, string>): void;
    update(value: number, payload: Record<string, string>): void;
    stop(): void;
  }
  export const Presets: { shades_classic: object };
}
