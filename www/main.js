// Wires the page: whatever gets into the text area is read at once.
import example from "../samples/chat-tool-calls.sse";
import { read } from "./read.js";

const capture = document.querySelector("#capture");
const file = document.querySelector("#file");
const status = document.querySelector("#status");
const result = document.querySelector("#result");

capture.addEventListener("input", show);
capture.addEventListener("dragover", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  capture.classList.add("drop");
});
capture.addEventListener("dragleave", () => capture.classList.remove("drop"));
capture.addEventListener("drop", (event) => {
  capture.classList.remove("drop");
  const [dropped] = event.dataTransfer.files;
  if (dropped === undefined) return;
  event.preventDefault();
  open(dropped);
});
file.addEventListener("change", () => {
  if (file.files.length > 0) open(file.files[0]);
});
document.querySelector("#example").addEventListener("click", () => fill(example));
document.querySelector("#clear").addEventListener("click", () => {
  file.value = "";
  fill("");
});

async function open(chosen) {
  fill(await chosen.text());
}

function fill(text) {
  capture.value = text;
  show();
}

function show() {
  const text = capture.value;
  const shown = text.trim() === "" ? { status: "Nothing read yet.", failed: false, pieces: [] } : read(text);
  status.textContent = shown.status;
  status.classList.toggle("failed", shown.failed);
  const list = document.createElement("dl");
  list.append(...shown.pieces.flatMap(entry));
  result.replaceChildren(list);
}

function entry({ title, value }) {
  const term = document.createElement("dt");
  term.textContent = title;
  const text = document.createElement("pre");
  text.textContent = value;
  const description = document.createElement("dd");
  description.append(text);
  return [term, description];
}
