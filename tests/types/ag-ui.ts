// Answers for clients of AG-UI.
import type { Event as ProtocolEvent } from "@ag-ui/core";
import { expectTypeOf } from "expect-type";
import { runRequest, streamDeltas } from "respool";
import type { Delta, FinishReason } from "respool";
import { toAgUiEvents, toAgUiResponse } from "respool/ag-ui";
import type { AgUiEvent, AgUiOptions, AgUiOutcome, AgUiUsage } from "respool/ag-ui";

declare const response: Response;
declare const deltas: ReadableStream<Delta>;
const ids = { threadId: "thread-1", runId: "run-1" };
const request = runRequest({ transport: () => response, messages: [] });

for (const input of [response, fetch(""), streamDeltas(response), deltas, [{ choices: [] }], ["data: {}\n\n"], request]) {
  expectTypeOf(toAgUiEvents(input, ids)).toEqualTypeOf<AsyncGenerator<AgUiEvent, void, undefined>>();
}
const made = toAgUiResponse(response, {
  ...ids,
  status: 200,
  headers: { "x-own": "1" },
  signal: new AbortController().signal,
  api: "openai-chat",
  resume: [{ type: "text", text: "Hi" }],
  onError: (error) => String(error),
});
expectTypeOf(made).toEqualTypeOf<Response>();
// @ts-expect-error: the ids are required
toAgUiEvents(response);
// @ts-expect-error: an option of the response only
toAgUiEvents(response, { ...ids, status: 200 });
// @ts-expect-error: no source
toAgUiEvents(5, ids);
expectTypeOf<AgUiOptions["resume"]>().toExtend<Iterable<object> | undefined>();

declare const event: AgUiEvent;
if (event.type === "RUN_FINISHED") {
  expectTypeOf(event.outcome).toEqualTypeOf<AgUiOutcome>();
  expectTypeOf(event.usage).toEqualTypeOf<AgUiUsage[] | undefined>();
  expectTypeOf(event.metadata?.finishReason).toEqualTypeOf<FinishReason | undefined>();
}

// AG-UI's own types have the same events, but name their types with an enum.
type Named<E> = E extends { type: infer Type extends string } ? Omit<E, "type"> & { type: `${Type}` } : never;
expectTypeOf<AgUiEvent>().toExtend<Named<ProtocolEvent>>();
