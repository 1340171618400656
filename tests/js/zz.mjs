import { StreamAccumulator } from "respool";
import { toUIMessageStream } from "respool/ai-sdk";
const call=(f,fr=null)=>({choices:[{index:0,delta:{tool_calls:[{index:0,...f}]},finish_reason:fr}]});
const cases={
 late:[call({id:"a",function:{name:"f",arguments:'{"x":'}}),{choices:[{delta:{},finish_reason:"tool_calls"}]},call({function:{arguments:'1}'}}),{choices:[],usage:{prompt_tokens:1}}],
 error:[call({id:"a",function:{name:"f",arguments:'{"x":'}}),{error:{message:"x"}},call({function:{arguments:'1}'}}),{choices:[{delta:{},finish_reason:"tool_calls"}]}],
 errtext:[{choices:[{delta:{content:"a"}}]},{error:{message:"x"}},{choices:[{delta:{content:"b"}}]}],
};
for(const [n,ev] of Object.entries(cases)){const a=new StreamAccumulator();const d=ev.flatMap(e=>a.push(e));const r=a.finish();d.push(...a.takeDeltas());
console.log(n);for(const x of d)console.log("  ",JSON.stringify(x));console.log(" R",r.ending,JSON.stringify(r.toolCalls),r.toolCallStatus);for await(const c of toUIMessageStream(ev))console.log("     ",JSON.stringify(c));}
