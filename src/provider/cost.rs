//! What an answer cost, as its provider says.

use crate::json::{Field, RawJson, Value};

/// In how many parts xAI counts a dollar. <https://docs.x.ai/developers/cost-tracking>
const TICKS: u64 = 10_000_000_000;

/// What the provider says that the answer cost: a number, or the text of one, or an object with the total.
pub(super) fn read_cost(usage: Value<'_>) -> Option<RawJson> {
    if let Some(ticks) = usage.get("cost_in_usd_ticks").unsigned() {
        let dollars = format!("{}.{:010}", ticks / TICKS, ticks % TICKS);
        return RawJson::parse(dollars.trim_end_matches('0').trim_end_matches('.'));
    }
    // DeepInfra and TensorZero have names of their own.
    let cost = ["cost", "estimated_cost", "tensorzero_cost"].into_iter().find_map(|name| usage.get(name))?;
    let total = cost.get("total_cost").or_else(|| cost.get("usd")).unwrap_or(cost);
    let cost = total.text().and_then(|text| RawJson::parse(&*text)).or_else(|| total.raw())?;
    cost.get().starts_with(|first: char| first == '-' || first.is_ascii_digit()).then_some(cost)
}

/// What the answer cost, said beside its usage: by Venice (`{usd}`), and by Vercel's gateway.
pub(super) fn read_cost_beside(holder: Value<'_>) -> Option<RawJson> {
    read_cost(holder).or_else(|| read_gateway_cost(holder))
}

/// What Vercel's gateway says that the answer cost, in the metadata beside it.
pub(super) fn read_gateway_cost(holder: Value<'_>) -> Option<RawJson> {
    read_cost(holder.get("provider_metadata")?.get("gateway")?)
}

/// The same from metadata that was kept.
pub(super) fn cost_in_metadata(metadata: &RawJson) -> Option<RawJson> {
    let document = metadata.document()?;
    read_cost(document.root().get("gateway")?)
}
