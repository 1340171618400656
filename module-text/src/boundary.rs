//! What JavaScript calls.

#![allow(unsafe_code, reason = "JavaScript and this module share nothing but memory")]

use core::panic::PanicInfo;
use core::slice;

use crate::streams::STREAMS;
use crate::unpack;

/// Makes a module: see [`unpack`]. From `start` on there lie, one behind the other: the order, 256 bytes; the sizes of
/// the streams, in four bytes each, the lowest first; room for the streams; room for the module; the text.
///
/// # Safety
/// All of that must be memory.
#[unsafe(export_name = "unpack")]
unsafe extern "C" fn unpack_at(start: *mut u8, bytes_size: usize, module_size: usize, text_size: usize) {
    // SAFETY: the parts lie one behind the other, and the caller warrants that they are there.
    unsafe {
        let order = &*start.cast::<[u8; 256]>();
        let sizes = start.add(256).cast::<[[u8; 4]; STREAMS]>().read().map(u32::from_le_bytes);
        let bytes = start.add(256 + 4 * STREAMS);
        let module = bytes.add(bytes_size);
        let text = slice::from_raw_parts(module.add(module_size), text_size);
        unpack(
            text,
            order,
            &sizes,
            slice::from_raw_parts_mut(bytes, bytes_size),
            slice::from_raw_parts_mut(module, module_size),
        );
    }
}

#[panic_handler]
fn stop(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
