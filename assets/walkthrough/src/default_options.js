// How a walkthrough is shown where nobody asks for anything else.

/** @import { Options } from "./view" */

/** @type {Options} */
export const SHOWN = {
  presenting: false,
  graph: false,
  names: false,
  only: "",
  keeps: [],
  remark: ["", ""],
  beside: "",
};
