/** What Streamlit calls the default export of a component with. */
export interface ComponentArguments<Data = unknown> {
  data: Data;
  parentElement: HTMLElement | ShadowRoot;
  /** Send an event to Python, which runs the page with its value. */
  setTriggerValue(event: string, value: unknown): void;
}
