/** Validators: functions, and schemas that follow the Standard Schema, version 1. */

import { OutputParseError, RespoolError, messageOf } from "../errors.js";

/** Whether a value is a promise. */
export const isLater = (value) => typeof value?.then === "function";

/**
 * What a validator makes of a value; a promise where that comes later. Functions get the JSON text as well, where there
 * is one.
 */
export function validate(validator, value, json) {
  if (validator === undefined || validator === null) return value;
  const standard = validator["~standard"];
  let outcome;
  try {
    if (typeof standard?.validate === "function") outcome = standard.validate(value);
    else if (typeof validator === "function") outcome = validator(value, json);
    else throw new RespoolError("invalid-option", "the validator is neither a function nor a Standard Schema; wrap a JSON Schema in the validator that you use");
  } catch (error) {
    throw refusal(error);
  }
  const conclude = standard ? conclusion : (result) => result;
  return isLater(outcome) ? Promise.resolve(outcome).then(conclude, (error) => Promise.reject(refusal(error))) : conclude(outcome);
}

function conclusion({ value, issues }) {
  if (issues === undefined || issues === null) return value;
  throw unfit(Array.from(issues, toIssue));
}

/** What a validator threw: schemas have functions that throw their issues. */
function refusal(error) {
  if (RespoolError.isInstance(error)) return error;
  const issues = Array.isArray(error?.issues) ? error.issues.map(toIssue) : [{ path: [], message: messageOf(error) }];
  return unfit(issues, error);
}

/** The steps of the path may stand in objects. */
const toIssue = ({ path, message }) => ({ path: Array.from(path ?? [], (step) => step?.key ?? step), message });

function unfit(issues, cause) {
  const list = issues.map(({ path, message }) => (path.length > 0 ? `${pathText(path)}: ${message}` : message));
  return new OutputParseError("invalid-output", `The output does not fit the schema: ${list.join("; ")}`, { issues, cause });
}

/** `days[0].port` */
function pathText(path) {
  return path.reduce((text, step) => (typeof step === "number" ? `${text}[${step}]` : `${text}${text && "."}${String(step)}`), "");
}
