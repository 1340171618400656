#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| respool_fuzz::checks::messages(data));
