/* Made from src/ by npm run build. */

var n="[data-testid='stMain']";var a="st-key-",c=`[class*='${a}']`;var s=500;function i(){let t=document.querySelector(n);if(!t)return;t.setAttribute("tabindex","-1");let e=-s,o=r=>t.toggleAttribute("data-hop-clicked",r);t.onpointerdown=()=>{e=performance.now(),document.activeElement===t&&o(!0)},t.onfocus=()=>o(performance.now()-e<s)}export{i as default};
