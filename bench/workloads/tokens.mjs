// Text as models write it, in tokens.

/** @import { Random } from "../random.mjs" */

const WORDS = `the of and a to in is that it for was on are as with at by from this have or an but not what all were
when there can said which do their time if will way about many then them would write like so these her long make thing
see him two has look more day could go come did number sound no most people my over know water than call first who may
down side been now find any new work part take get place made live where after back little only round man year came show
every good me give our under name very through just form sentence great think help low line differ turn cause much mean
before move right boy old too same tell does set three want air well also play small end put home read hand port large
spell add even land here must big high such follow act why ask men change went light kind off need house picture try us
again animal point mother world near build self earth father ferry harbour timetable departure arrival connection`.split(/\s+/);
const ENDINGS = ["ing", "ed", "ly", "'s", "tion", "able", "-based"];
const MARKS = [",", ",", ".", ".", ".\n\n", ":", ";", "?", " (", ")", "\n- ", " —", ' "', '"', "**", "`", " \\", " 3.5", " 42"];
const CJK = [
  ..."的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所去行过家十用发天如然作方成者多日都三小军二无同么经法当起与好看学进种将还分此心前面又定见只主没公从",
];
const KANA = [..."のにはをたがでてとしれさあいうえおかきくけこまみむめもやゆよらりるろわん"];
const EMOJI = ["🚢", "⛴️", "🌊", "👩‍💻", "🇳🇴", "✅", "🎉", "👍🏽", "🕘", "…"];

/** English, with ordinary punctuation, line breaks and quotes. @param {Random} random @param {number} count */
export function proseTokens(random, count) {
  return Array.from({ length: count }, () => {
    const kind = random.fraction();
    if (kind < 0.78) return ` ${random.pick(WORDS)}`;
    if (kind < 0.86) return random.pick(ENDINGS);
    return random.pick(MARKS);
  });
}

/** Chinese, Japanese and emoji: one to three characters per token. @param {Random} random @param {number} count */
export function cjkTokens(random, count) {
  return Array.from({ length: count }, () => {
    if (random.fraction() < 0.06) return random.pick(EMOJI);
    const letters = random.fraction() < 0.7 ? CJK : KANA;
    return Array.from({ length: random.integer(1, 3) }, () => random.pick(letters)).join("");
  });
}

/** Returns the arguments of a tool call: about `length` characters of JSON text in the form of JSON.stringify. @param {Random} random @param {number} length */
export function argumentText(random, length) {
  /** @type {object[]} */
  const stops = [];
  const query = { port: "Skjervøy", language: "nb", limit: random.integer(1, 50), exact: true, stops };
  let size = JSON.stringify(query).length;
  while (size < length) {
    const note = proseTokens(random, random.integer(4, 24)).join("").trim();
    const stop = {
      id: random.integer(1000, 99999),
      name: random.letters(8),
      metres: random.integer(0, 9999) / 10,
      note,
      open: null,
    };
    stops.push(stop);
    size += JSON.stringify(stop).length + 1;
  }
  return JSON.stringify(query);
}

/** Splits a text into tokens of one to six characters, as models write JSON. @param {Random} random @param {string} text */
export function cutIntoTokens(random, text) {
  /** @type {string[]} */
  const pieces = [];
  for (let at = 0; at < text.length; ) {
    const end = at + random.integer(1, 6);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}
