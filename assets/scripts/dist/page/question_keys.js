/* Made from src/ by npm run build. */

var s="st-key-",p=`[class*='${s}']`,r=t=>`.${s}${t}`;var i="input:not([type=checkbox]), textarea, select, [contenteditable]",a={"[":"question_before","]":"question_after"};function c(t){let[e]=t.composedPath();if(e instanceof Element&&e.closest(i)||t.ctrlKey||t.altKey||t.metaKey||t.defaultPrevented)return;let o=a[t.key],n=o?document.querySelector(`${r(o)} button`):null;n&&(t.preventDefault(),n.click())}function d(){let t=e=>c(e);return document.addEventListener("keydown",t),()=>document.removeEventListener("keydown",t)}export{d as default};
