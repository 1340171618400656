//! The entry point for JavaScript.

#![allow(unsafe_code, reason = "JavaScript passes data only through memory")]

use core::panic::PanicInfo;
use core::slice;

use crate::streams::STREAMS;
use crate::unpack;

/// Restores a module: see [`unpack`]. The memory from `start` on holds, in this order: the byte order table (256
/// bytes), the stream sizes (four bytes each, little-endian), space for the streams, space for the module, and the
/// text.
///
/// # Safety
/// All of these areas must lie within memory.
#[unsafe(export_name = "unpack")]
unsafe extern "C" fn unpack_at(start: *mut u8, bytes_size: usize, module_size: usize, text_size: usize) {
    // SAFETY: the areas are consecutive and don't overlap, and the caller guarantees that they lie within memory.
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
fn trap(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
