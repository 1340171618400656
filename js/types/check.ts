// Compares the declarations with the sources: the compiler fails here if an export, a parameter or a result differs.
// It runs nothing, and isn't part of the package.
import type * as agUiSource from "../ag_ui/ag_ui_events.js";
import type * as aiSdkSource from "../ai_sdk/ui_message_stream.js";
import type * as apiSource from "../api.js";
import type * as encodeSource from "../encode/api.js";
import type * as slimSource from "../entries/slim.js";
import type * as otelSource from "../tracing/otel.js";
import type * as agUi from "./ag_ui.js";
import type * as aiSdk from "./ai_sdk.js";
import type * as api from "./api.js";
import type * as encode from "./encode.js";
import type * as otel from "./otel.js";
import type * as slim from "./slim.js";

/** Whether two types are the same, and not only assignable to each other. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** The public members of a type as a plain object, so that private fields make no difference. */
type Public<T> = { [Key in keyof T]: T[Key] };

/** Symbols that the sources define at run time, or that are unique to a declaration. */
type Unchecked = "RAW_JSON";

/** The members that each class has at run time only. */
type RuntimeOnly = typeof Symbol.dispose | "kinds" | "name";

type Class = abstract new (...args: never) => unknown;

/** The parts of a class that callers see. */
type ClassParts<C extends Class> = {
  construct: ConstructorParameters<C>;
  instance: Omit<Public<InstanceType<C>>, RuntimeOnly>;
  static: Static<C>;
};

type Static<C extends Class> = Omit<Public<C>, RuntimeOnly | "prototype">;

/** An error's constructor assigns the properties of its class from its options, so the source has fewer members. */
type MatchesError<Source extends Class, Declared extends Class> =
  InstanceType<Declared> extends InstanceType<Source>
    ? ConstructorParameters<Declared> extends ConstructorParameters<Source>
      ? Same<Static<Source>, Static<Declared>>
      : false
    : false;

type Matches<Source, Declared> = Source extends Class
  ? Declared extends Class
    ? InstanceType<Declared> extends Error
      ? MatchesError<Source, Declared>
      : Same<ClassParts<Source>, ClassParts<Declared>>
    : false
  : Same<Source, Declared>;

/** The names of the exports that differ, or that only one side has. */
type Differences<Source, Declared> = {
  [Name in Exclude<keyof Source | keyof Declared, Unchecked>]: Name extends keyof Source & keyof Declared
    ? Matches<Source[Name], Declared[Name]> extends true
      ? never
      : Name
    : Name;
}[Exclude<keyof Source | keyof Declared, Unchecked>] &
  string;

/** Names can't be assigned to `never`, so the error lists all that differ. */
type None<Names extends never> = Names;

export type Check = [
  None<Differences<typeof apiSource, typeof api>>,
  None<Differences<typeof slimSource, typeof slim>>,
  None<Differences<typeof agUiSource, typeof agUi>>,
  None<Differences<typeof aiSdkSource, typeof aiSdk>>,
  None<Differences<typeof encodeSource, typeof encode>>,
  None<Differences<typeof otelSource, typeof otel>>,
];
