import { StreamAccumulator } from "respool";
import { RandomStream } from "./random-streams.mjs";
const stream = new RandomStream(800100 * 10_000 + 147, { mayBreak: true });
stream.asReads(); 
// pieces as in forms order
const reads=stream.asReads(), pieces=stream.asPieces();
for (const templates of [true,false]) { const a=new StreamAccumulator({...stream.options,templates}); let i=0; for (const p of pieces){ const d=a.pushBytes(p); if(i>=22) console.log(i,JSON.stringify(d)); i++; } const r=a.finish(); console.log(JSON.stringify(a.takeDeltas()), JSON.stringify(r.reasoning),JSON.stringify(r.text), JSON.stringify(r.warnings)); }
const m=pieces.length; console.log(new TextDecoder().decode(pieces[22]).slice(-200),"|||", new TextDecoder().decode(pieces[23]));
console.log(stream.wire.map(w=>JSON.stringify(JSON.parse(w.replace(/^data: /,"")||"{}").choices?.map(c=>[c.index,c.delta.content,c.delta.reasoning_content]))).join("\n"));
