//! The cost of a response, as its provider reports it.

use crate::json::{Field, RawJson, Value};

/// Number of xAI's ticks in a dollar.
/// <https://docs.x.ai/developers/cost-tracking>
const TICKS: u64 = 10_000_000_000;

/// Returns the cost that the provider reports: a number, as text or not, or an object with the total.
pub(super) fn read_cost(usage: Value<'_>) -> Option<RawJson> {
    if let Some(ticks) = usage.get("cost_in_usd_ticks").unsigned() {
        let dollars = format!("{}.{:010}", ticks / TICKS, ticks % TICKS);
        return RawJson::parse(dollars.trim_end_matches('0').trim_end_matches('.'));
    }
    // DeepInfra and TensorZero use names of their own.
    let cost = usage.first(&["cost", "estimated_cost", "tensorzero_cost"])?;
    let total = cost.first(&["total_cost", "usd"]).unwrap_or(cost);
    let cost = total.text().and_then(|text| RawJson::parse(&*text)).or_else(|| total.raw())?;
    cost.get().starts_with(|first: char| first == '-' || first.is_ascii_digit()).then_some(cost)
}

/// Returns the cost that is reported next to the usage: by Venice (`{usd}`), and by Vercel's gateway.
pub(super) fn read_adjacent_cost(holder: Value<'_>) -> Option<RawJson> {
    read_cost(holder).or_else(|| read_gateway_cost(holder))
}

/// Returns the cost that Vercel's gateway reports in `provider_metadata`.
pub(super) fn read_gateway_cost(holder: Value<'_>) -> Option<RawJson> {
    read_cost(holder.get("provider_metadata")?.get("gateway")?)
}

/// Returns the cost that Vercel's gateway reports, from kept `provider_metadata`.
pub(super) fn cost_in_metadata(metadata: &RawJson) -> Option<RawJson> {
    let document = metadata.document()?;
    read_cost(document.root().get("gateway")?)
}
