// respool with a tracing backend that does nothing, and without one.
import { process, tracer } from "respool";

const BACKEND = () => ({ emit() {}, end() {} });

function runTraced(bytes) {
  tracer.add("bench", BACKEND);
  try {
    return process({}, bytes);
  } finally {
    tracer.clear();
  }
}

const takes = "chat body, traced or not";
const outcome = (value) => ({ value });

export default [
  { name: "respool process, nobody listens", takes, run: (bytes) => process({}, bytes), outcome },
  { name: "respool process, traced", takes, run: runTraced, outcome },
];
