import respool = require("respool");

const { message }: respool.AnnotatedLlmResponse = respool.decode({ choices: [{ message: { content: "Tromsø" } }] });
console.log(message);
