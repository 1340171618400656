// What README.md quotes: the case, our way to do it, and theirs.

const line = (work, reference, against) => ({ work, reference, against });

export const HEADLINES = [
  line("chat text, 16 KB reads", "respool pushBytes", "eventsource-parser + JSON.parse"),
  line("chat text, 16 KB reads", "respool pushBytes", "openai SDK stream"),
  line("chat text, 16 KB reads", "respool pushBytes", "AI SDK streamText"),
  line("chat text, one event a read", "respool pushBytes", "eventsource-parser + JSON.parse"),
  line("push(object), chat text", "respool push", "openai SDK accumulator"),
];
