/* Made from src/ by npm run build. */

function e(s){let o=globalThis.__hopMaps??=new Map,t=o.get(s)??{};return o.set(s,t),t}function i({data:s,setTriggerValue:o}){let t=e(s.name);t.select=p=>o("chosen",p??{kind:"none",number:0});let n=JSON.parse(s.said);t.settings=n,t.map&&!t.map.isGone&&t.map.apply(n)}export{i as default};
