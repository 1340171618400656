//! The class behind `StreamEncoder`, and the functions behind `encode`, the translation of bodies, and error bodies:
//! see js/encode/.

use std::borrow::Cow;

use js_sys::Array;
use wasm_bindgen::prelude::*;

use super::deltas::json_to_js;
use super::host;
use super::inbox::{with_inbox, with_plain_json};
use super::input::{bytes_for, refuse_bytes, saved_of, with_body, with_body_in};
use super::js_document::JsDocument;
use super::options::{has_same, stream_options};
use crate::collect::Collect;
use crate::encode::{EncodeOptions, StreamEncoder, WireApi, encode_json, error_body};
use crate::error::{Error, ErrorCode};
use crate::json::{Document, ObjectWriter, RawJson};
use crate::stream::StreamOptions;

#[wasm_bindgen]
pub struct Encoder(StreamEncoder);

#[wasm_bindgen]
impl Encoder {
    /// `target` is the name of the interface to write, and `encoding` the JSON of [`EncodeOptions`]. `options` are as
    /// for `Accumulator`. `missed` is the JSON of a list of deltas, if the source is a stream of deltas.
    #[wasm_bindgen(constructor)]
    pub fn new(
        target: &str,
        encoding: &str,
        options: &str,
        missed: Option<String>,
    ) -> Result<Encoder, JsValue> {
        let options = stream_options(options)?;
        let (api, encoding) = (wire_api(target)?, encode_options(encoding)?);
        Ok(Self(match missed {
            Some(json) => StreamEncoder::of_deltas(api, options, encoding, parse(&json, "deltas")?.root())?,
            None => StreamEncoder::new(api, options, encoding)?,
        }))
    }

    /// Continues a stream that was [saved](Self::save).
    pub fn restore(bytes: &JsValue) -> Result<Encoder, JsValue> {
        Ok(Self(StreamEncoder::restore(&saved_of(bytes)?)?))
    }

    pub fn save(&mut self) -> Result<Vec<u8>, JsValue> {
        Ok(self.0.save()?)
    }

    /// The name of the interface that is written.
    pub fn target(&self) -> String {
        self.0.api().as_str().to_owned()
    }

    /// Whether the source is a stream of deltas.
    #[wasm_bindgen(js_name = readsDeltas)]
    pub fn reads_deltas(&self) -> bool {
        self.0.reads_deltas()
    }

    /// Whether an option for reading has the same value as that of another encoder: see `Accumulator`.
    #[wasm_bindgen(js_name = hasOptionOf)]
    pub fn has_option_of(&self, other: &Self, number: u32) -> bool {
        has_same(number, &self.0.stream_options(), &other.0.stream_options())
    }

    /// Whether an option for writing has the same value as that of another encoder. Options are numbered in the order
    /// of js/encode/options.js.
    #[wasm_bindgen(js_name = hasWritingOf)]
    pub fn has_writing_of(&self, other: &Self, number: u32) -> bool {
        let (one, other) = (self.0.options(), other.0.options());
        match number {
            0 => one.include_usage == other.include_usage,
            1 => one.model == other.model,
            2 => one.id == other.id,
            3 => one.input_tokens == other.input_tokens,
            4 => one.reasoning == other.reasoning,
            5 => one.unsigned_thinking == other.unsigned_thinking,
            _ => one.custom_tools == other.custom_tools,
        }
    }

    pub fn push(&mut self, chunk: &JsValue) -> Result<Vec<u8>, JsValue> {
        let read = with_plain_json(chunk, |json| self.0.push_json(json));
        if let Some(bytes) = read.transpose()?.flatten() {
            return Ok(bytes);
        }
        refuse_bytes(chunk)?;
        let document = JsDocument::new(chunk);
        let bytes = self.0.push(document.root())?;
        if let Some(trouble) = JsDocument::take_trouble() {
            self.0.warn_unreadable_property(&trouble);
        }
        Ok(bytes)
    }

    /// Reads the first `length` bytes of the inbox.
    #[wasm_bindgen(js_name = pushInbox)]
    pub fn push_inbox(&mut self, length: usize) -> Result<Vec<u8>, JsValue> {
        Ok(with_inbox(length, |bytes| self.0.push_bytes(bytes))?)
    }

    /// Reads bytes of any kind.
    #[wasm_bindgen(js_name = pushBytes)]
    pub fn push_bytes(&mut self, bytes: &JsValue) -> Result<Vec<u8>, JsValue> {
        let bytes = bytes_for("pushBytes", bytes)?;
        Ok(self.0.push_bytes(&bytes)?)
    }

    /// Ends the stream because the source has ended.
    pub fn finish(&mut self) -> Vec<u8> {
        self.0.finish()
    }

    pub fn abort(&mut self, reason: &JsValue) -> Vec<u8> {
        self.0.abort(reason.as_string().as_deref())
    }

    /// Ends the stream as failed with a provider's error: see `error_body_of`.
    pub fn fail(&mut self, failure: &str, status: u16) -> Result<Vec<u8>, JsValue> {
        let mut failure = failure_of(failure)?;
        if status != 0 && failure.provider_type.is_none() && failure.provider_code.is_none() {
            failure.provider_code = Some(status.to_string());
        }
        Ok(self.0.fail_with(failure, Some(status).filter(|status| *status != 0)))
    }

    pub fn heartbeat(&mut self) -> Vec<u8> {
        self.0.heartbeat()
    }

    /// Returns warnings about content that couldn't be written.
    pub fn lost(&self) -> JsValue {
        json_to_js(&self.0.lost().to_vec())
    }

    /// Whether nothing more will be written.
    #[wasm_bindgen(js_name = isOver)]
    pub fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// Whether the source has marked the end of its stream.
    #[wasm_bindgen(js_name = isDone)]
    pub fn is_done(&self) -> bool {
        self.0.is_done()
    }

    /// Whether the stream has ended, so that there is a result.
    #[wasm_bindgen(js_name = hasEnded)]
    pub fn has_ended(&self) -> bool {
        self.0.result().is_some()
    }

    /// Returns the result in the form of `Accumulator`, always as a list; `undefined` before the end.
    pub fn result(&mut self, nonce: &str, min_bytes: usize) -> Option<Array> {
        let (result, tails) = self.0.result_changes(nonce, min_bytes)?;
        Some(host::changes_to_js(&result, &tails))
    }
}

/// Writes a response. `response` is what `decode` returns, or the result of a stream, as an object or its JSON. Returns
/// `{body, lost}`.
#[wasm_bindgen]
pub fn encode(response: &JsValue, target: &str, encoding: &str) -> Result<JsValue, JsValue> {
    let (api, options) = (wire_api(target)?, encode_options(encoding)?);
    with_body(response, true, &mut |value| {
        let encoded = encode_json(value, api, &options)?;
        let mut json = String::new();
        let mut object = ObjectWriter::new(&mut json);
        object.member("body", &RawJson::valid(encoded.body)).member("lost", &encoded.lost).end();
        Ok(host::parse(&json))
    })
    .map_err(Into::into)
}

/// Translates a body. `body` is an object, JSON text or its bytes. `reading` has options as for `Accumulator`; only the
/// limits and those for text apply. Returns `{response, text, lost, failure, ownFailure}`, without `text`, `lost` and
/// `failure` if the body already has the target's interface and stays unchanged. `failure` says why the text is an
/// error, and `ownFailure` why a body of the target's interface isn't an answer.
#[wasm_bindgen]
pub fn translate(body: &JsValue, target: &str, encoding: &str, reading: &str) -> Result<JsValue, JsValue> {
    let (api, options) = (wire_api(target)?, encode_options(encoding)?);
    let StreamOptions { limits, text, .. } = stream_options(reading)?;
    with_body_in(&limits, body, true, &mut |body| {
        let translated = crate::encode::translate(body, api, &options, text.clone(), limits)?;
        let mut json = String::new();
        let mut object = ObjectWriter::new(&mut json);
        object.member("response", &RawJson::valid(translated.response));
        if let Some(encoded) = &translated.encoded {
            object.member("text", &encoded.body).member("lost", &encoded.lost);
            object.optional("failure", encoded.failure.as_ref());
        }
        object.optional("ownFailure", translated.reported_failure.as_ref());
        object.end();
        Ok(host::parse(&json))
    })
    .map_err(Into::into)
}

/// Returns the body, as JSON text, with which an interface answers a request that failed. `failure` is the JSON of a
/// `Failure` without its code, of which only the message is needed; `status` is the HTTP status, or 0.
#[wasm_bindgen(js_name = errorBody)]
pub fn error_body_of(target: &str, failure: &str, status: u16) -> Result<String, JsValue> {
    let api = wire_api(target)?;
    let status = Some(status).filter(|status| *status != 0);
    Ok(error_body(api, &failure_of(failure)?, status))
}

fn failure_of(json: &str) -> Result<crate::model::Failure, Error> {
    let document = parse(json, "failure")?;
    let root = document.root();
    let text = |name| root.get_text(name).map(Cow::into_owned);
    let code = crate::model::FailureCode::ProviderError;
    let mut failure = crate::model::Failure::new(code, text("message").unwrap_or_default());
    failure.provider_type = text("providerType");
    failure.provider_code = text("providerCode");
    Ok(failure)
}

fn wire_api(name: &str) -> Result<WireApi, Error> {
    WireApi::from_name(name).ok_or_else(|| {
        let names = WireApi::ALL.into_iter().map(WireApi::as_str).collect_vec();
        let message = format!("Unknown interface `{name}` to write. Interfaces: {}", names.join(", "));
        Error::new(ErrorCode::InvalidOption, message)
    })
}

/// Reads the options from JSON with the members of [`EncodeOptions`] in camel case. Sets missing `created` and `nonce`,
/// as the core has no clock.
fn encode_options(json: &str) -> Result<EncodeOptions, Error> {
    let document = parse(json, "options")?;
    let mut options = EncodeOptions::read(document.root());
    let now = js_sys::Date::now();
    #[expect(clippy::cast_sign_loss, reason = "it is after 1970")]
    options.created.get_or_insert((now / 1000.0) as u64);
    options.nonce.get_or_insert(js_sys::Math::random().to_bits() ^ now.to_bits());
    Ok(options)
}

/// Maximum depth of JSON that is passed in.
const MAX_DEPTH: usize = 512;

fn parse<'j>(json: &'j str, what: &str) -> Result<Document<'j>, Error> {
    Document::parse(json, MAX_DEPTH).map_err(|error| {
        Error::new(ErrorCode::InvalidOption, format!("The {what} to write with aren't valid JSON: {error}"))
    })
}
