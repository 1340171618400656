// Explains why a request failed and what to do about it.

const LOCAL = /^https?:\/\/(localhost|127\.|\[::1\]|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/i;

/**
 * Returns advice for an HTTP error status, or undefined for a success.
 *
 * @param {{ ok: boolean, status: number }} response
 */
export function explainStatus({ ok, status }) {
  if (ok) return undefined;
  switch (status) {
    case 401:
      return "The server rejected the API key (401). Is it complete, for this provider, and not revoked?";
    case 403:
      return "The server refused access (403). The key may lack permission for this model, or your region or origin isn't allowed.";
    case 404:
      return "Not found (404). Is the base URL right, including /v1 if the server expects it, and does the model exist?";
    case 429:
      return "Rate limited, or out of credit (429).";
    default:
      return status >= 500
        ? `Server error (${status}). Try again.`
        : `The server rejected the request (${status}). Its response is shown below.`;
  }
}

/**
 * Returns advice if no response arrived. Browsers hide the reason from pages.
 *
 * @param {string} message message of the browser
 * @param {{ url: string }} request
 */
export function explainFailure(message, { url }, page = location) {
  const isPlainHttp = /^http:/i.test(url);
  if (page.protocol === "https:" && isPlainHttp && !/^http:\/\/(localhost|127\.)/i.test(url)) {
    return "This page was loaded over https, so the browser blocks plain http requests to other machines.";
  }
  const advice = LOCAL.test(url)
    ? `Is the server running, and does it allow this page's origin, ${page.origin}? For Ollama, set OLLAMA_ORIGINS=${page.origin}. For vLLM, pass --allowed-origins '["${page.origin}"]'. In LM Studio, enable CORS. llama.cpp's server allows every origin.`
    : "Is the URL right and free of redirects, and are you online? If so, the server doesn't allow requests from web pages (CORS): use a proxy of your own, or use curl and drop its output here.";
  return `No response, and browsers hide the reason from pages (${message}). ${advice}`;
}
