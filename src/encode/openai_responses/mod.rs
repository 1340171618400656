//! OpenAI Responses.
//! <https://platform.openai.com/docs/api-reference/responses/object>
//! <https://platform.openai.com/docs/api-reference/responses-streaming>

mod beside;
mod events;
mod item;
mod item_list;
mod items;
mod response;
mod stream;
mod texts;

pub(super) use response::USAGE;
pub(super) use stream::ResponsesWriter;
