// Replaces the package `emoji-regex`, which string-width uses: Node can match emoji itself, and that package lists them
// in a line of 10,000 characters.
module.exports = () => /\p{RGI_Emoji}/gv;
