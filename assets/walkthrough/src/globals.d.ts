/** What scripts of the same page share: each of them is a module of its own in the browser. */
declare global {
  /** Names of the page scripts that run in this page. */
  var __hopScripts: Set<string> | undefined;
  /** Moves the focus to the view that is shown. */
  var __hopHome: (() => void) | undefined;
  var __hopWalkthrough: { root: HTMLElement } | undefined;
  /** The theme that Python was told last. */
  var __hopTheme: string | undefined;
  /** For each scroll target, how many scroll requests were handled. */
  var __hopScrolled: Record<string, number> | undefined;
}

export {};
