//! OpenAI Responses.
//! <https://platform.openai.com/docs/api-reference/responses/object>
//! <https://platform.openai.com/docs/api-reference/responses-streaming>

mod beside;
mod events;
mod item;
mod items;
mod response;
mod stream;
mod texts;

pub(super) use stream::ResponsesWriter;
