// Why a request did not work, and what helps.

const LOCAL = /^https?:\/\/(localhost|127\.|\[::1\]|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/i;

/** What to say of a status that is no success; undefined for one that is. */
export function explainStatus({ ok, status }) {
  if (ok) return undefined;
  switch (status) {
    case 401:
      return "The server does not accept the key (401). Is it whole, for this provider, and not revoked?";
    case 403:
      return "The server refuses this key (403): it may lack rights for the model, or the region or origin is not allowed.";
    case 404:
      return "There is nothing at this address (404). Is the base URL right, with /v1 at its end where the server wants it, and does the model exist?";
    case 429:
      return "Too many requests, or no credit left (429).";
    default:
      return status >= 500
        ? `The server failed (${status}). Trying again may help.`
        : `The server refused the request (${status}); what it says is below.`;
  }
}

/** What to say where no answer came at all. Browsers do not tell pages why. */
export function explainFailure(error, { url }, page = location) {
  if (error.name === "AbortError") return undefined;
  const isPlain = /^http:/i.test(url);
  if (page.protocol === "https:" && isPlain && !/^http:\/\/(localhost|127\.)/i.test(url)) {
    return "This page came over https, and browsers do not let it ask a server over plain http, except on this machine.";
  }
  const causes = LOCAL.test(url)
    ? `Is the server running, and does it allow this page's origin, ${page.origin}? For Ollama set OLLAMA_ORIGINS=${page.origin}; llama.cpp's server allows all; for vLLM pass --allowed-origins '["${page.origin}"]'; in LM Studio switch CORS on.`
    : "Is the address right, without a redirect, and are you online? If so, the server does not allow requests from web pages (CORS): ask it through a proxy of your own, or with curl, and drop the capture here.";
  return `The browser got no answer, and does not tell pages why (${error.message}). ${causes}`;
}
