//! OpenAI Responses.
//! <https://platform.openai.com/docs/api-reference/responses/object>
//! <https://platform.openai.com/docs/api-reference/responses-streaming>

mod events;
mod item;
mod response;
mod stream;

pub(super) use stream::ResponsesWriter;
