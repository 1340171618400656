//! The laws of usage that hold for every provider.

use respool::model::Usage;

/// Checks that the counts with a common meaning for all providers add up.
pub(crate) fn check_laws(name: &str, usage: &Usage) {
    let parts = [usage.cache_read_tokens, usage.cache_write_tokens, usage.tool_use_tokens];
    let beside: u64 = parts.into_iter().flatten().sum();
    if let Some(uncached) = usage.uncached_input_tokens {
        assert_eq!(usage.input_tokens, Some(uncached + beside), "{name}: {usage:?}");
    }
    if let (Some(output), Some(reasoning)) = (usage.output_tokens, usage.reasoning_tokens) {
        assert!(reasoning <= output, "{name}: {usage:?}");
    }
    if let (Some(output), Some(completion)) = (usage.output_tokens, usage.completion_tokens) {
        assert!(completion <= output, "{name}: {usage:?}");
    }
    assert_eq!(usage.input_tokens.is_some(), usage.prompt_tokens.is_some(), "{name}: {usage:?}");
}
