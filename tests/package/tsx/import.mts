import { type AnnotatedLlmResponse, decode } from "respool";

const response: AnnotatedLlmResponse = decode({ choices: [{ message: { content: "Tromsø" } }] });
console.log(response.message);
