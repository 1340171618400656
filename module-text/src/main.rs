//! `module-text FILE` prints the text of a module as JSON: `{ length, order, sizes, text }`.

use std::error::Error;

use respool_module_text::pack;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("use: module-text FILE")?;
    let module = std::fs::read(file)?;
    let packed = pack(&module)?;
    // None of its characters has to be escaped.
    println!(
        r#"{{"length":{},"order":{:?},"sizes":{:?},"text":"{}"}}"#,
        module.len(),
        packed.order,
        packed.sizes,
        packed.text
    );
    Ok(())
}
