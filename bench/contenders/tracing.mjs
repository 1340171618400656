// respool without a tracing backend, and with one that does nothing.
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

const takes = "chat body, tracing";
const outcome = (value) => ({ value });

export default [
  { name: "respool process, untraced", takes, run: (bytes) => process({}, bytes), outcome },
  { name: "respool process, traced", takes, run: runTraced, outcome },
];
