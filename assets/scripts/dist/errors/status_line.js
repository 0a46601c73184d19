/* Made from src/ by npm run build. */

function o({data:e,parentElement:n}){let t=n.querySelector("p");t&&t.textContent!==e.told&&(t.textContent=t.title=e.told)}export{o as default};
