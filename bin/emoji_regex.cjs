// In place of the package `emoji-regex`, which string-width uses: Node knows emoji itself, and the line of that package that
// lists them has 10,000 characters.
module.exports = () => /\p{RGI_Emoji}/gv;
