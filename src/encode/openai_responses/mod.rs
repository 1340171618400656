//! OpenAI Responses.
//! <https://platform.openai.com/docs/api-reference/responses/object>
//! <https://platform.openai.com/docs/api-reference/responses-streaming>

mod body;
mod calls;
mod events;
mod expand;
mod images;
mod item;
mod item_list;
mod items;
mod metadata;
mod part;
mod stream;
mod texts;

pub(super) use body::USAGE;
pub(super) use stream::ResponsesWriter;
