/* Made from src/ by npm run build. */

var o=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;var n="st-key-",l=`[class*='${n}']`,s=t=>`.${n}${t}`;var r=250;function c({data:t}){let e=globalThis.__hopScrolled??={},a=e[t.name]??0;if(e[t.name]=t.presses,t.presses<=a)return;let i=o()?"auto":"smooth";setTimeout(()=>{document.querySelector(s(t.name))?.scrollIntoView({block:t.block,behavior:i})},r)}export{c as default};
