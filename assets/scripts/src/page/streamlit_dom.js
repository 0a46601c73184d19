// All that the scripts read of Streamlit's own elements. None of it is a public interface, so each
// test id, attribute and class is named here only. `data-test-script-state` and
// `data-test-connection-state` have no public counterpart: no event tells a component that the
// server is away or that a run of the page has begun.

const APP = "[data-testid='stApp']";
const SCRIPT_STATE = "data-test-script-state";

/** The element that scrolls the page. */
export const MAIN = "[data-testid='stMain']";
/** What is in it. */
export const MAIN_CONTENT = "[data-testid='stMainBlockContainer']";
/** The link past the menu, which is first in the page. */
export const SKIP_LINK = "[data-testid='stSkipToContent']";
/** The element with the shadow root of a component. */
export const ISOLATED = "[data-testid='stBidiComponentIsolated']";
export const MENU_LINK = "[data-testid='stSidebarNav'] a";
export const FORM = "[data-testid='stForm']";
export const POPOVER_BUTTON = "[data-testid='stPopoverButton']";
export const POPOVER_BODY = "[data-testid='stPopoverBody']";
export const BUTTON = ":is([data-testid='stButton'], [data-testid='stFormSubmitButton']) button";
/** Buttons without the copy that Streamlit makes of one with a hint, which style.css hides. */
export const VISIBLE_BUTTON = "button:not([data-testid='stButton'] > div + div button)";
export const PRIMARY_BUTTON = "button[kind=primary]";
export const TYPED_FIELD = ".stTextInput input, .stTextArea textarea, .stNumberInput input";

const KEY = "st-key-";
/** Elements of any widget or container with a key. */
export const KEYED = `[class*='${KEY}']`;

/** Select the element with a key. @param {string} key */
export const withKey = (key) => `.${KEY}${key}`;

/** Select the elements whose keys begin with a text. @param {string} start */
export const withKeyPrefix = (start) => `[class*='${KEY}${start}']`;

/** The class that Streamlit gives an element for its key, if it has one. @param {Element | null | undefined} element */
export const keyClass = (element) => [...(element?.classList ?? [])].find((name) => name.startsWith(KEY));

const state = () => /** @type {HTMLElement | null} */ (document.querySelector(APP))?.dataset ?? {};

/** Whether the server is running the page. */
export const isRunning = () => state().testScriptState === "running";

/** Whether no run of the page is going on or waited for. */
export const isIdle = () => state().testScriptState === "notRunning";

/** Whether the browser is connected to the server. */
export const isConnected = () => state().testConnectionState === "CONNECTED";

/** Call a function whenever the state of the page's run changes. @param {() => void} listener */
export function onRunChange(listener) {
  new MutationObserver(listener).observe(document.body, {
    subtree: true,
    attributeFilter: [SCRIPT_STATE],
  });
}

/** Call a function whenever elements come or go, or the state of the run changes. @param {() => void} listener */
export function onPageChange(listener) {
  new MutationObserver(listener).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: [SCRIPT_STATE],
  });
}
