/** The names of the types in JSON Schema. */
export type JsonSchemaType = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

/** The keywords of a JSON Schema that types are inferred from. */
export interface JsonSchemaKeywords {
  /** The type, or several. */
  readonly type?: JsonSchemaType | readonly JsonSchemaType[] | (string & {});
  /** The schemas of an object's properties. */
  readonly properties?: { readonly [name: string]: JsonSchema };
  /** The names of the properties that an object must have. */
  readonly required?: readonly string[];
  /** The schema of an array's items. */
  readonly items?: JsonSchema | readonly JsonSchema[];
  /** The possible values. */
  readonly enum?: readonly unknown[];
}

/**
 * A JSON Schema: these keywords, and any others. Schemas with a type of their own, such as `JSONSchema7`, are accepted,
 * too.
 */
export type JsonSchemaObject = JsonSchemaKeywords | (JsonSchemaKeywords & { readonly [keyword: string]: unknown });

/** A JSON Schema. `true` accepts every value, and `false` none. */
export type JsonSchema = boolean | JsonSchemaObject;

/** The type of a JSON value that matches a schema. Keywords without a type in TypeScript, such as `pattern`, don't narrow it. */
export type JsonSchemaValue<Schema> = Schema extends {
  /** The only value. */
  readonly const: infer Value;
}
  ? Value
  : Schema extends {
        /** The possible values. */
        readonly enum: readonly (infer Value)[];
      }
    ? Value
    : Alternatives<Schema, "anyOf"> & Alternatives<Schema, "oneOf"> & Combined<Schema> & Typed<Schema>;

type Alternatives<Schema, Keyword extends string> = Schema extends { readonly [Key in Keyword]: readonly (infer Inner)[] }
  ? Inner extends unknown
    ? JsonSchemaValue<Inner>
    : never
  : unknown;

type Combined<Schema> = Schema extends { readonly allOf: readonly [infer First, ...infer Rest] }
  ? JsonSchemaValue<First> & Combined<{ readonly allOf: Rest }>
  : unknown;

type Typed<Schema> = Schema extends { readonly type: infer Type }
  ? string extends Type
    ? unknown
    : OfType<Schema, Type extends readonly (infer Each)[] ? Each : Type>
  : Schema extends { readonly properties: object }
    ? ObjectOf<Schema>
    : unknown;

type OfType<Schema, Type> = Type extends "string"
  ? string
  : Type extends "number" | "integer"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "null"
        ? null
        : Type extends "array"
          ? ListOf<Schema>
          : Type extends "object"
            ? ObjectOf<Schema>
            : unknown;

type ListOf<Schema> = Schema extends { readonly items: infer Item }
  ? Item extends readonly unknown[]
    ? unknown[]
    : JsonSchemaValue<Item>[]
  : unknown[];

type RequiredNames<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;

/** Flattens an intersection into one object type, which editors show better. */
type Flat<T> = { [Key in keyof T]: T[Key] };

type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? Flat<
      {
        -readonly [Name in keyof Properties as Name extends RequiredNames<Schema> ? Name : never]: JsonSchemaValue<
          Properties[Name]
        >;
      } & {
        -readonly [Name in keyof Properties as Name extends RequiredNames<Schema> ? never : Name]?: JsonSchemaValue<
          Properties[Name]
        >;
      }
    >
  : Schema extends { readonly additionalProperties: infer Value extends object }
    ? Record<string, JsonSchemaValue<Value>>
    : Record<string, unknown>;
