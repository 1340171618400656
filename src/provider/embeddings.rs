//! OpenAI embeddings, and compatible interfaces.
//! <https://platform.openai.com/docs/api-reference/embeddings/object>
//!
//! A vector is an array of numbers, or, with `encoding_format: "base64"`, little-endian 32-bit floats in
//! base64.
//!
//! Other interfaces have the same vectors in other members:
//! - `{embeddings: [[…]]}`: Ollama, Cohere's version 1
//! - `{embeddings: {float: [[…]]}}`: Cohere's version 2, with a list for each requested type, such as `int8`
//! - `{embeddings: [{values}]}`, `{embedding: {values}}`: Gemini; `{embeddings: [{embedding}]}`: Nova
//! - `{embedding: […]}`: Titan, earlier versions of Ollama
//! - `{data: [[…]]}`, alone or in a `result`: Workers AI; `{vectors: [[…]]}`: `MiniMax`
//! - `{results: [{embedding}]}`: watsonx, AI21; `{output: {embeddings: [{embedding}]}}`: `DashScope`
//! - `{predictions: [{embeddings: {values}}]}`: Vertex AI
//! - `[[…]]`, `[{embedding}]`: TEI, llama.cpp

use crate::collect::Collect;
use crate::error::{Error, ErrorCode, Result, quote};
use crate::json::{Kind, Value};
use crate::model::{Vector, Vectors};
use crate::provider::{base64_floats, result_of};

/// Whether this is a response with embeddings.
pub(super) fn is_body(body: Value<'_>) -> bool {
    vector_items(body).first().is_some_and(|first| match first.kind() {
        Kind::Object => first.get("embedding").is_some() || inner_vector(*first).is_array(),
        // Models other than language models have arrays of numbers in `predictions` too.
        Kind::Array => body.get("predictions").is_none() && read_vector(*first).is_some(),
        _ => false,
    })
}

/// Returns the items of a response, which have one vector each.
fn vector_items(body: Value<'_>) -> Vec<Value<'_>> {
    let output = || {
        let output = body.get("output").filter(|output| output.get("embeddings").is_some());
        output.or_else(|| body.get("final_result"))
    };
    let body = result_of(body).or_else(output).unwrap_or(body);
    if let Some(one) = body.get("embedding") {
        return vec![one];
    }
    let embeddings = || {
        let list = body.get("embeddings")?;
        list.first(&["float", "int8", "uint8"]).or(Some(list))
    };
    let listed = || body.first(&["data", "results", "predictions", "vectors"]);
    let list = listed().or_else(embeddings).unwrap_or(body);
    list.items().collect_vec()
}

/// Returns the vectors of a response, ordered by `index`, which `DashScope` calls `text_index`. An item whose index is
/// invalid or already used fills a gap.
///
/// # Errors
/// [`ErrorCode::EmptyResponse`] if there are no vectors, [`ErrorCode::UnknownResponse`] if an item isn't a vector.
pub fn read_embeddings(body: Value<'_>) -> Result<Vectors> {
    let items = vector_items(body);
    if items.is_empty() {
        return Err(Error::new(ErrorCode::EmptyResponse, "Empty embedding response"));
    }
    let mut rows: Vec<Option<Vector>> = vec![None; items.len()];
    let mut misplaced = Vec::new();
    for (at, item) in items.into_iter().enumerate() {
        let row = read_vector(item).ok_or_else(|| {
            let text = item.compact().unwrap_or_default();
            let message = format!(
                "Expected `embedding` to be an array of numbers or base64-encoded 32-bit floats in data[{at}]: {}",
                quote(&text)
            );
            Error::new(ErrorCode::UnknownResponse, message)
        })?;
        let index = item
            .get_unsigned("index")
            .or_else(|| item.get_unsigned("text_index"))
            .and_then(|index| usize::try_from(index).ok());
        match rows.get_mut(index.unwrap_or(at)) {
            Some(place @ None) => *place = Some(row),
            _ => misplaced.push(row),
        }
    }
    let mut misplaced = misplaced.into_iter();
    Ok(Vectors { rows: rows.into_iter().filter_map(|row| row.or_else(|| misplaced.next())).collect_vec() })
}

/// Returns the vector in an object, or the value itself.
fn inner_vector(value: Value<'_>) -> Value<'_> {
    let Some(vector) = value.first(&["embedding", "embeddings"]) else {
        return value.get("values").unwrap_or(value);
    };
    // llama.cpp has a list here, of one vector if they are pooled.
    let mut rows = vector.items();
    let only = rows.next().filter(|row| row.is_array() && rows.next().is_none());
    only.or_else(|| vector.get("values")).unwrap_or(vector)
}

fn read_vector(value: Value<'_>) -> Option<Vector> {
    let value = inner_vector(value);
    // Numbers first: bytes of JavaScript can be read as numbers, but also as text.
    match value.numbers() {
        Some(numbers) => Some(Vector::Numbers(numbers)),
        None => base64_floats::decode(&value.text()?).map(Vector::Floats),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[test]
    fn vectors_are_ordered() {
        for name in ["index", "text_index"] {
            let body = format!(
                r#"{{"output":{{"embeddings":[{{"{name}":1,"embedding":[2]}},{{"{name}":0,"embedding":[1]}}]}}}}"#
            );
            let vectors = read_embeddings(Document::parse(&body, 64).unwrap().root()).unwrap();
            let values: Vec<_> = vectors.rows.iter().map(|row| row.values().unwrap().to_vec()).collect();
            assert_eq!(values, [[1.0], [2.0]], "{name}");
        }
    }

    #[test]
    fn lists_without_an_object() {
        for (body, count) in [
            ("[[0.5,1],[2,3]]", 2),
            (r#"[{"index":0,"embedding":[0.5,1]}]"#, 1),
            (r#"[{"index":0,"embedding":[[0.5,1]]},{"index":1,"embedding":[[2,3]]}]"#, 2),
            (
                r#"{"request_id":"r","final_result":{"object":"list","data":[{"index":0,"embedding":[0.5,1]}]}}"#,
                1,
            ),
            (r#"{"embeddings":{"int8":[[-35,12],[1,2]]},"response_type":"embeddings_by_type"}"#, 2),
            ("[0.5,1]", 0),
            (r#"[[{"label":"good","score":0.9}]]"#, 0),
            (r#"{"predictions":[[0.9,0.1]]}"#, 0),
            (r#"{"results":[{"index":0,"relevance_score":0.9}]}"#, 0),
            (r#"{"data":["AAAAPwAAAMA="]}"#, 0),
        ] {
            let document = Document::parse(body, 64).unwrap();
            assert_eq!(is_body(document.root()), count > 0, "{body}");
            if count > 0 {
                assert_eq!(read_embeddings(document.root()).unwrap().rows.len(), count, "{body}");
            }
        }
    }
}
