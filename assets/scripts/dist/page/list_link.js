/* Made from src/ by npm run build. */

var s=(t,o)=>()=>{let e=globalThis.__hopScripts??=new Set;e.has(t)||(e.add(t),o())};var n="[data-testid='stSidebarNav'] a";var r="st-key-",d=`[class*='${r}']`,a=t=>`.${r}${t}`;var i=`${a("studies_back")} button`,x=s("list_link",()=>{addEventListener("click",t=>{let o=t.target instanceof Element?t.target.closest(n):null;if(!o||t.ctrlKey||t.metaKey||t.shiftKey||t.altKey||new URL(o.href).pathname!==location.pathname)return;let e=document.querySelector(i);e&&(t.preventDefault(),t.stopImmediatePropagation(),e.click())},!0)});export{x as default};
