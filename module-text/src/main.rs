//! `module-text FILE` prints a module's text encoding as JSON: `{ length, order, sizes, text }`.

use std::error::Error;

use respool_module_text::pack;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("Usage: module-text FILE")?;
    let module = std::fs::read(file)?;
    let packed = pack(&module)?;
    // No character of the text needs escaping.
    println!(
        r#"{{"length":{},"order":{:?},"sizes":{:?},"text":"{}"}}"#,
        module.len(),
        packed.order,
        packed.sizes,
        packed.text
    );
    Ok(())
}
